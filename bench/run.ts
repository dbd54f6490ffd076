// Measures what tau costs: `npm run bench`, or `npm run bench -- calls` for one suite; `--json` for machines.
import { cpus } from 'node:os';
import type { Suite, Table } from './suite.ts';
import { agUiSuite } from './suites/ag-ui.ts';
import { callsSuite } from './suites/calls.ts';
import { storeSuite } from './suites/store.ts';
import { markdown } from './table.ts';

const suites: readonly Suite[] = [callsSuite, agUiSuite, storeSuite];

const wanted = process.argv.slice(2).filter((argument) => argument !== '--json');
const asJson = process.argv.includes('--json');

function choose(names: readonly string[]): readonly Suite[] {
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    console.error(`No such suite: ${unknown.join(', ')}. There are: ${suites.map(({ name }) => name).join(', ')}.`);
    process.exit(2);
  }
  return names.length === 0 ? suites : suites.filter((suite) => names.includes(suite.name));
}

const results: { suite: string; tables: readonly Table[] }[] = [];
for (const suite of choose(wanted)) {
  const tables = await suite.run((line) => console.error(`${suite.name}: ${line}`));
  results.push({ suite: suite.name, tables });
  if (!asJson) for (const table of tables) console.log(`\n${markdown(table)}`);
}

const machine = { node: process.version, cpu: cpus()[0]?.model.trim() ?? 'unknown', cores: cpus().length };
if (asJson) console.log(JSON.stringify({ ...machine, results }, null, 2));
else console.log(`\nNode ${machine.node}, ${machine.cores} × ${machine.cpu}`);
