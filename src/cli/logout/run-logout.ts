import { escapeText } from '../../core/escape.ts';
import { endSessions } from '../../hub/index.ts';
import type { CommandContext } from '../command.ts';
import { chosenPrincipal, withAccounts } from '../hub/open-accounts.ts';
import { jsonText } from '../json-text.ts';
import { openSetting } from '../setting.ts';

/** Runs `tau logout`: every page of a principal has to log in anew, and links that were not used open nothing. */
export async function runLogout(context: CommandContext): Promise<number> {
  const { io, options } = context;
  const setting = openSetting(context);
  const { principal, sessions } = await withAccounts(setting, async (accounts) => {
    const chosen = chosenPrincipal(accounts.principals, options.principal, setting);
    return { principal: chosen, sessions: await endSessions(accounts, chosen) };
  });
  const text = `${setting.say('logout.done', { principal: escapeText(principal), count: sessions })}\n`;
  io.stdout.write(options.json ? `${jsonText({ principal, sessions })}\n` : text);
  return 0;
}
