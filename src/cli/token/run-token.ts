import { TauError } from '../../core/errors.ts';
import { escapeText } from '../../core/escape.ts';
import type { Principals, Scope, TokenInfo, Tokens } from '../../hub/index.ts';
import { type CommandContext, usageOf } from '../command.ts';
import { chosenPrincipal, withAccounts } from '../hub/open-accounts.ts';
import { jsonText } from '../json-text.ts';
import { openSetting, type Setting } from '../setting.ts';
import { UsageError } from '../usage-error.ts';
import { TOKEN } from './typed.ts';

interface Place {
  readonly context: CommandContext;
  readonly setting: Setting;
  readonly tokens: Tokens;
  readonly principals: Principals;
}

type Action = (place: Place) => Promise<number>;

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['create', create],
  ['list', list],
  ['revoke', revoke],
]);

/** Runs `tau token`. */
export function runToken(context: CommandContext): Promise<number> {
  const setting = openSetting(context);
  const [name = ''] = context.positionals;
  const action = ACTIONS.get(name);
  if (action === undefined) {
    const commands = [...ACTIONS.keys()].join(', ');
    throw new UsageError(setting.say('usage.unknown_command', { command: name, hint: '', commands }));
  }
  return withAccounts(setting, ({ tokens, principals }) => action({ context, setting, tokens, principals }));
}

/** The secret is the only line on stdout, so that a script can take it. */
async function create({ context, setting, tokens, principals }: Place): Promise<number> {
  const { io, options } = context;
  const { say } = setting;
  const principal = chosenPrincipal(principals, options.principal, setting);
  const granted = principals.get(principal)?.scopes ?? [];
  const scopes = options.scopes === undefined ? granted : readScopes(options.scopes, granted, setting);
  const { secret, info } = await tokens.create({ principal, scopes });
  if (options.json) io.stdout.write(`${jsonText({ token: secret, ...info })}\n`);
  else {
    io.stderr.write(
      `${say('token.created', { id: info.id, principal: escapeText(principal), scopes: scopes.join(', ') })}\n`,
    );
    io.stdout.write(`${secret}\n`);
  }
  return 0;
}

async function list({ context: { io, options }, setting, tokens }: Place): Promise<number> {
  const infos = await tokens.list();
  const text = infos.length === 0 ? `${setting.say('token.none')}\n` : `${infos.map(lineOf).join('\n')}\n`;
  io.stdout.write(options.json ? `${jsonText({ tokens: infos })}\n` : text);
  return 0;
}

function lineOf({ id, principal, scopes, createdAt, label = '' }: TokenInfo): string {
  const when = new Date(createdAt).toISOString();
  return `${id}  ${escapeText(principal)}  ${scopes.join(',')}  ${when}  ${escapeText(label)}`.trimEnd();
}

async function revoke({ context: { io, positionals }, setting: { say }, tokens }: Place): Promise<number> {
  const [, id] = positionals;
  if (id === undefined) throw new UsageError(say('usage.too_few', { missing: 'ID', usage: usageOf(TOKEN) }));
  if (!(await tokens.revoke(id))) throw new TauError('not_found', say('token.unknown', { id: escapeText(id) }));
  io.stdout.write(`${say('token.revoked', { id })}\n`);
  return 0;
}

function readScopes(text: string, granted: readonly Scope[], { say }: Setting): readonly Scope[] {
  const names = text.split(',').map((name) => name.trim());
  const scopes = granted.filter((scope) => names.includes(scope));
  const wrong = names.find((name) => !granted.some((scope) => scope === name));
  if (wrong === undefined && scopes.length > 0) return scopes;
  throw new UsageError(say('token.scopes', { value: wrong ?? text, known: granted.join(', ') }));
}
