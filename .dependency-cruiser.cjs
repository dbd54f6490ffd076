// The layers of src/: the core imports the core, an adapter imports the core and itself, only the command line sees
// everything. Tests (*.test.ts, test/) may import anything.
const TESTS = '\\.test\\.tsx?$';

/** Files under `from` may import, of src/, only what matches one of `to`. */
function layer(name, from, to, comment) {
  return {
    name,
    comment,
    severity: 'error',
    from: { path: from, pathNot: TESTS },
    to: { path: '^src/', pathNot: to },
  };
}

module.exports = {
  forbidden: [
    layer('root-entry', '^src/index\\.ts$', ['^src/core/'], 'The root entry shows the core and nothing else.'),
    layer('core', '^src/core/', ['^src/core/'], 'The core knows no framework, protocol, channel or store.'),
    layer('strands', '^src/strands/', ['^src/(core|strands)/'], 'The Strands adapter imports the core and itself.'),
    layer('ag-ui', '^src/ag-ui/', ['^src/(core|strands|ag-ui)/'], 'The bridge may use the Strands adapter.'),
    layer('mcp', '^src/mcp/', ['^src/(core|strands|mcp)/'], 'The MCP server may use the Strands adapter.'),
    layer('reflex', '^src/reflex/', ['^src/(core|strands|reflex)/'], 'The reflex engine may use the Strands adapter.'),
    layer(
      'hub',
      '^src/hub/',
      ['^src/(core|strands|ag-ui|hub)/', '^src/stores/memory/'],
      'The hub serves the bridge; which store it uses is for whoever makes it.',
    ),
    layer('channels', '^src/channels/([^/]+)/', ['^src/core/', '^src/channels/$1/'], 'A channel: the core and itself.'),
    layer(
      'stores',
      '^src/stores/([^/]+)/',
      ['^src/core/', '^src/stores/$1/', '^src/stores/shared/'],
      'A store: the core, itself and what the SQL stores share.',
    ),
    layer(
      'testing',
      '^src/testing/',
      ['^src/(core|strands|testing)/'],
      'The shipped fakes: the core, types of strands.',
    ),
    {
      name: 'testing-strands-types',
      comment:
        'The shipped fakes know only the types of the Strands adapter: a fake must not be made of what it tests.',
      severity: 'error',
      from: { path: '^src/testing/', pathNot: TESTS },
      to: { path: '^src/strands/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'known-layer',
      comment: 'Every file in src/ belongs to one of the layers above; a new folder needs a rule here first.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '^src/(index\\.ts$|(core|strands|ag-ui|hub|mcp|reflex|channels|stores|testing|cli)/)',
      },
      to: {},
    },
    {
      name: 'core-npm',
      comment: 'The core needs RFC 8785 and SHA-256 from npm, nothing more, so that it runs anywhere.',
      severity: 'error',
      from: { path: '^src/(core/|index\\.ts$)', pathNot: TESTS },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-peer', 'npm-optional', 'npm-no-pkg', 'npm-unknown'],
        pathNot: '^node_modules/(canonicalize|@noble/hashes)/',
      },
    },
    {
      name: 'core-no-node',
      comment: 'The core uses web-standard globals only.',
      severity: 'error',
      from: { path: '^src/(core/|index\\.ts$)', pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'page-no-node',
      comment: "The hub's page runs in a browser.",
      severity: 'error',
      from: { path: '^src/channels/web/page/', pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'src-is-self-contained',
      comment: 'What is shipped must not import what is not.',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: ['^(test|scripts|bench|examples)/', TESTS] },
    },
    {
      name: 'no-dev-dependency-in-src',
      comment: 'A package that src/ imports must be a dependency or a peer dependency, or users will not have it.',
      severity: 'error',
      // What the page imports is bundled into it.
      from: { path: '^src/', pathNot: [TESTS, '^src/channels/web/page/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer', 'npm-optional', 'type-only'] },
    },
    {
      name: 'no-undeclared-package',
      comment: 'Every package that is imported stands in package.json.',
      severity: 'error',
      from: { path: '^(src|test|scripts|bench)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: { path: '^(src|test|scripts|bench)/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'no-circular',
      comment: 'A cycle, of types too, hides which of the two modules is the lower one.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^dist/'] },
    exclude: { path: '^examples/copilotkit-page/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
