import { publicEntries } from './scripts/entries.ts';

/** @type {Partial<import('typedoc').TypeDocOptions>} */
export default {
  entryPoints: publicEntries.map(([, source]) => source),
  tsconfig: 'tsconfig.json',
  out: 'docs/api',
  excludePrivate: true,
  excludeInternal: true,
  excludeExternals: true,
  readme: 'none',
  disableSources: true,
  skipErrorChecking: true,
  // What a user can name has to say what it is for. Fields of a documented type may speak for themselves.
  requiredToBeDocumented: ['Enum', 'Variable', 'Function', 'Class', 'Interface', 'TypeAlias', 'Method', 'Accessor'],
  validation: { notExported: false, invalidLink: true, rewrittenLink: true, notDocumented: true },
  treatWarningsAsErrors: true,
};
