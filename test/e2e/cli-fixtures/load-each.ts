// Loads the tools of each module that is named, as the command line does, and prints what came of it: one JSON line each.
import { resolve } from 'node:path';
import { speak } from '../../../src/cli/messages.ts';
import { loadTools } from '../../../src/cli/tools/load-tools.ts';
import { tierOf } from '../../../src/strands/index.ts';

for (const file of process.argv.slice(2)) {
  const outcome = await loadTools([resolve(file)], process.cwd(), speak('en')).then(
    (tools) => tools.map((tool) => `${tool.name} ${tierOf(tool)}`),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
