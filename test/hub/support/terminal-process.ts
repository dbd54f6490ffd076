import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';

// A terminal: it runs the command line with its own arguments and shows what that prints. Kill it, and it is closed.
const program = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const pty = spawn(process.execPath, [program, ...process.argv.slice(2)], { cols: 300, cwd: process.cwd() });
pty.onData((data) => process.stdout.write(data.replaceAll('\r', '')));
