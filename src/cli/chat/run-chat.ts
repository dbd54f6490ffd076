import { userInfo } from 'node:os';
import type { Tool } from '@strands-agents/sdk';
import { TerminalApprover, TerminalSession } from '../../channels/terminal/index.ts';
import type { Principal } from '../../core/call.ts';
import { ConfigError } from '../../core/errors.ts';
import { escapeText } from '../../core/escape.ts';
import { buildAgent, type TauAgent } from '../../strands/index.ts';
import type { CommandContext } from '../command.ts';
import type { ModelConfig } from '../config/config.ts';
import { configuredPolicy } from '../config/hub-policy.ts';
import type { Recovered } from '../demo/world.ts';
import { openLog } from '../log.ts';
import { createModel } from '../models/create-model.ts';
import { prepareFolder, requireModel } from '../prepare.ts';
import { refuseLinks } from '../refuse-links.ts';
import { openSetting, openTools, type Setting } from '../setting.ts';
import { packageVersion } from '../version.ts';
import { converse } from './converse.ts';
import { QuietApprover } from './quiet-approver.ts';
import { Screen } from './screen.ts';

const INTERRUPTED = 130;

/** Pauses of the demo model on a terminal, in milliseconds; a pipe gets everything at once. */
const PACE = { thinkMs: 350, wordMs: 25 };

/** Runs `tau chat`. Through a pipe it fails when a turn did; a person has seen it. */
export async function runChat(context: CommandContext): Promise<number> {
  const { io } = context;
  const setting = openSetting(context);
  const model = requireModel(setting);
  refuseOthersDeciding(setting);
  refuseLinks(setting);
  prepareFolder(setting);
  const session = new TerminalSession({ input: io.stdin, output: io.stdout });
  const screen = new Screen(session, io.env);
  const tools = await openTools(setting, (recovered) => tellRecovered(recovered, screen, setting));
  const agent = await makeAgent(setting, model, tools, { context, session, screen });
  try {
    if (session.interactive) greet(agent, tools, screen, setting);
    const { end, failed } = await converse({
      agent,
      tools,
      session,
      screen,
      principal: personHere(),
      say: setting.say,
    });
    if (end !== 'interrupted' && screen.isTerminal) screen.line(setting.say('chat.bye'));
    if (end !== 'interrupted') return failed && !session.interactive ? 1 : 0;
  } finally {
    session.close();
  }
  return leaveNow(io.stdout);
}

/** Here one person asks and answers; where the policy wants somebody else to answer, that would be no answer. */
function refuseOthersDeciding({ config, say }: Setting): void {
  if (!config.hub.policy.requesterDecides) throw new ConfigError(say('chat.others_decide'));
}

/** Ends the process although something may still be going on in it: that is what the second Ctrl-C asks for. */
function leaveNow(stdout: CommandContext['io']['stdout']): Promise<never> {
  return new Promise(() => stdout.write('', () => process.exit(INTERRUPTED)));
}

interface Place {
  readonly context: CommandContext;
  readonly session: TerminalSession;
  readonly screen: Screen;
}

async function makeAgent(
  setting: Setting,
  model: ModelConfig,
  tools: readonly Tool[],
  { context, session, screen }: Place,
): Promise<TauAgent> {
  const { language, say, config } = setting;
  const demoPace = session.interactive ? PACE : { thinkMs: 0, wordMs: 0 };
  const { maxTurns, systemPrompt, timeoutSeconds } = config.agent;
  return buildAgent({
    model: await createModel(model, { env: context.io.env, language, say, demoPace }),
    tools,
    approver: new QuietApprover(new TerminalApprover({ session, language }), screen, say('chat.thinking')),
    language,
    logger: openLog(setting),
    redact: config.log.redact,
    channel: 'terminal',
    policy: configuredPolicy(config.hub.policy),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
  });
}

function greet(agent: TauAgent, tools: readonly Tool[], screen: Screen, { say, isDemoWorld, model }: Setting): void {
  const name = escapeText(agent.agent.model.modelId ?? model?.provider ?? '');
  screen.line(
    screen.style('bold', say('chat.welcome', { version: packageVersion(), model: name, count: tools.length })),
  );
  screen.line(screen.style('dim', say('chat.hint')));
  if (isDemoWorld) screen.line(screen.style('dim', say('chat.hint_demo')));
}

function tellRecovered({ backup, problem }: Recovered, screen: Screen, { say }: Setting): void {
  screen.line(screen.style('yellow', say('chat.recovered', { backup, problem: escapeText(problem) })));
}

/** Whoever sits at this terminal: asks, and by the default policy approves. */
function personHere(): Principal {
  try {
    return { id: userInfo().username, kind: 'person' };
  } catch {
    // A user id without an entry in the system's list, as in some containers.
    return { id: 'local', kind: 'person' };
  }
}
