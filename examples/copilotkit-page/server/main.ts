import { serveHouse } from './serve.ts';

const { url } = await serveHouse({ port: Number(process.env.PORT ?? 8100), timeoutSeconds: 300 });
console.log(`The house is at ${url}`);
