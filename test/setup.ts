import '../scripts/require-node.mjs';

// What started the tests must not change what the program says.
delete process.env.npm_command;
