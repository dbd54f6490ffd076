import { errorText } from '../../core/errors.ts';
import { type JSONValue, sealJson } from '../../core/json.ts';
import type { CommandContext } from '../command.ts';
import { configuredPolicy } from '../config/hub-policy.ts';
import { jsonText } from '../json-text.ts';
import { openSetting, openTools } from '../setting.ts';
import { UsageError } from '../usage-error.ts';
import { explain } from './explanation.ts';
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
  const explanation = await explain(tools, { tool, arguments: args }, configuredPolicy(policy));
  const { timeoutSeconds } = setting.config.agent;
  if (options.json) {
    const approver = explanation.outcome === 'ask' ? (requesterDecides ? 'terminal' : 'hub') : undefined;
    io.stdout.write(`${jsonText({ ...explanation, approver, timeoutSeconds })}\n`);
  } else {
    const known = tools.map(({ name }) => name);
    io.stdout.write(explanationText(explanation, { say: setting.say, known, timeoutSeconds, requesterDecides }));
  }
  return 0;
}

function parseArgumentsJson(json: string, { say }: CommandContext): JSONValue {
  try {
    return sealJson(JSON.parse(json));
  } catch (error) {
    throw new UsageError(say('usage.arguments_json', { problem: errorText(error), example: EXAMPLE }));
  }
}
