import '../scripts/require-node.mjs';
