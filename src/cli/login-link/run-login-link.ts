import { TauError } from '../../core/errors.ts';
import { loginUrl } from '../../hub/index.ts';
import type { CommandContext } from '../command.ts';
import { readHubAddress } from '../hub/hub-files.ts';
import { chosenPrincipal, withAccounts } from '../hub/open-accounts.ts';
import { proveHub } from '../hub/prove-hub.ts';
import { jsonText } from '../json-text.ts';
import { openSetting } from '../setting.ts';

/** Runs `tau login-link`. */
export async function runLoginLink(context: CommandContext): Promise<number> {
  const { io, options } = context;
  const setting = openSetting(context);
  const { config, say, dataDir } = setting;
  const address = readHubAddress(setting);
  const base = config.hub.serve.publicUrl ?? address?.url;
  if (base === undefined) throw new TauError('no_hub', say('hub.not_running', { path: dataDir }));
  // Whoever listens at the address gets the code of the link.
  if (address !== undefined && base === address.url) await proveHub(address, setting);
  const { code, expiresAt } = await withAccounts(setting, ({ loginLinks, principals }) =>
    loginLinks.create(chosenPrincipal(principals, options.principal, setting)),
  );
  const link = loginUrl(base, code);
  const text = `${link}\n`;
  io.stdout.write(options.json ? `${jsonText({ link, expiresAt })}\n` : text);
  return 0;
}
