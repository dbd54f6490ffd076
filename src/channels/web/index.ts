export { type PageFile, pageFiles } from './page-files.ts';
