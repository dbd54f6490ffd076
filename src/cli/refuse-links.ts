import { ConfigError } from '../core/errors.ts';
import { worldFiles } from './demo/world.ts';
import { logFile } from './log.ts';
import { isLink } from './own-file.ts';
import { demoFolder, type Setting } from './setting.ts';

/**
 * Looks, before anything is written, at the files that tau itself names in the data folder.
 *
 * @throws ConfigError when one of them is a symbolic link: what tau writes would go where it leads.
 */
export function refuseLinks(setting: Setting): void {
  const { config, isDemoWorld, say } = setting;
  const log = config.log.file === undefined ? [logFile(setting)] : [];
  const world = isDemoWorld ? worldFiles(demoFolder(setting)) : [];
  const link = [...log, ...world].find(isLink);
  if (link !== undefined) throw new ConfigError(say('error.link', { path: link }));
}
