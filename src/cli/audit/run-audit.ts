import { closest } from '../../core/did-you-mean.ts';
import type { CommandContext } from '../command.ts';
import type { Say } from '../messages.ts';
import { openSetting } from '../setting.ts';
import { openExistingStore } from '../store/open-store.ts';
import { UsageError } from '../usage-error.ts';
import { exportRows } from './export.ts';
import { showHead } from './head.ts';
import { showTail } from './tail.ts';
import { verify } from './verify.ts';

const ACTIONS: Readonly<Record<string, typeof verify>> = {
  verify,
  export: exportRows,
  tail: showTail,
  head: showHead,
};

/** Runs `tau audit`. */
export async function runAudit(context: CommandContext): Promise<number> {
  const { positionals, say } = context;
  const action = actionNamed(positionals[0] ?? '', say);
  const setting = openSetting(context);
  await using store = openExistingStore(setting);
  return await action({ ...context, say: setting.say }, store.audit);
}

function actionNamed(name: string, say: Say): typeof verify {
  const names = Object.keys(ACTIONS);
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action !== undefined) return action;
  const word = closest(name, names);
  const hint = word === undefined ? '' : say('usage.did_you_mean', { word });
  throw new UsageError(say('audit.unknown_action', { action: name, hint, actions: names.join(', ') }));
}
