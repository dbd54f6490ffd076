#!/usr/bin/env node
// The version is checked here, in syntax that old versions can read and before anything else is imported, so that
// an old Node prints one clear line instead of a stack trace out of some dependency.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`strands-tau needs Node.js 22.18 or newer; this is ${process.version} (${process.execPath}).`);
  process.exit(1);
}

// A program that ends before it is done, as one that waits for a tools module that never loads, did not succeed.
process.exitCode = 1;

import('../dist/cli/main.js')
  .then(async (cli) => cli.endProcess(await cli.main(process.argv.slice(2))))
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
