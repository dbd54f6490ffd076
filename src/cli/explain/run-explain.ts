import { errorText } from '../../core/errors.ts';
import { type JSONValue, sealJson } from '../../core/json.ts';
import type { CommandContext } from '../command.ts';
import { configuredPolicy } from '../config/hub-policy.ts';
import { jsonText } from '../json-text.ts';
import { scopesOf } from '../serve/first-token.ts';
import { openSetting, openTools, type Setting } from '../setting.ts';
import { UsageError } from '../usage-error.ts';
import { type Asking, explain } from './explanation.ts';
import { explanationText } from './text.ts';

const EXAMPLE = `tau explain unlock_door '{"door":"front"}' --demo`;

/** Runs `tau explain`. */
export async function runExplain(context: CommandContext): Promise<number> {
  const { io, options, positionals } = context;
  const [tool = '', json = '{}'] = positionals;
  const args = parseArgumentsJson(json, context);
  const setting = openSetting(context);
  const tools = await openTools(setting, () => undefined);
  const { policy } = setting.config.hub;
  const { requesterDecides } = policy;
  const asking = options.principal === undefined ? undefined : askingBy(options.principal, setting);
  const explanation = await explain(tools, { tool, arguments: args }, configuredPolicy(policy), asking);
  const { timeoutSeconds } = setting.config.agent;
  if (options.json) {
    const approver = explanation.outcome === 'ask' ? (requesterDecides ? 'terminal' : 'hub') : undefined;
    const { principal } = options;
    io.stdout.write(`${jsonText({ ...explanation, principal, approver, timeoutSeconds })}\n`);
  } else {
    const known = tools.map(({ name }) => name);
    const { say } = setting;
    const { principal } = options;
    io.stdout.write(explanationText(explanation, { say, known, principal, timeoutSeconds, requesterDecides }));
  }
  return 0;
}

/** @throws UsageError that lists the principals there are. */
function askingBy(id: string, { config: { hub }, say }: Setting): Asking {
  const principal = hub.principals.find((known) => known.id === id);
  if (principal === undefined) {
    throw new UsageError(say('token.no_principal', { id, known: hub.principals.map((known) => known.id).join(', ') }));
  }
  return { principal, answering: hub.principals.filter((known) => scopesOf(known).includes('decide')) };
}

function parseArgumentsJson(json: string, { say }: CommandContext): JSONValue {
  try {
    return sealJson(JSON.parse(json));
  } catch (error) {
    throw new UsageError(say('usage.arguments_json', { problem: errorText(error), example: EXAMPLE }));
  }
}
