import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { errorText, TauError } from '../../core/errors.ts';
import type { Language } from '../../core/i18n.ts';
import type { Command, CommandContext } from '../command.ts';
import { CONFIG_FILE } from '../config/load.ts';
import { environmentLanguage, isLanguage } from '../language.ts';
import { programName } from '../program-name.ts';
import { isModuleFolder } from '../tools/module-kind.ts';
import { installText } from './install-text.ts';
import { configTemplate, TOOLS_TEMPLATE } from './templates.ts';

/** `tau init`: a configuration and two tools that work right away. */
export const initCommand: Command = {
  name: 'init',
  positionals: [{ name: 'DIR', optional: true }],
  options: ['force', 'language'],
  summary: 'command.init',
  examples: ['tau init', 'tau init my-agent && cd my-agent && tau chat'],
  run: runInit,
};

function runInit({ io, options, positionals, say }: CommandContext): Promise<number> {
  const folder = resolve(io.cwd, positionals[0] ?? '.');
  const language = wantedLanguage(options.language, io.env);
  const tools = isModuleFolder(folder) ? 'tools.ts' : 'tools.mts';
  const files = [
    { path: join(folder, CONFIG_FILE), text: configTemplate(language, tools) },
    { path: join(folder, tools), text: TOOLS_TEMPLATE },
  ];
  const shown = (path: string): string => relative(io.cwd, path) || path;
  const taken = files.find(({ path }) => existsSync(path));
  if (taken !== undefined && !options.force)
    throw new TauError('exists', say('init.exists', { path: shown(taken.path) }));
  try {
    mkdirSync(folder, { recursive: true });
    for (const { path, text } of files) {
      const backup = writeFile(path, text);
      io.stdout.write(
        `${say('init.wrote', { path: shown(path) })}${backup === undefined ? '' : ` ${say('init.kept', { path: shown(backup) })}`}\n`,
      );
    }
  } catch (error) {
    throw new TauError('not_writable', say('init.no_folder', { path: shown(folder), problem: errorText(error) }), {
      cause: error,
    });
  }
  const chat = `${programName(io.env)} chat`;
  const command = folder === io.cwd ? chat : `cd ${shown(folder)} && ${chat}`;
  io.stdout.write(`${installText(folder, say)}${say('init.next', { command })}\n`);
  return Promise.resolve(0);
}

/** Writes a file; returns where the one that was there is kept. */
function writeFile(path: string, text: string): string | undefined {
  const backup = existsSync(path) ? freeBackupName(path) : undefined;
  if (backup !== undefined) copyFileSync(path, backup);
  writeFileSync(path, text);
  return backup;
}

function freeBackupName(path: string): string {
  for (let number = 0; ; number++) {
    const candidate = number === 0 ? `${path}.bak` : `${path}.${number}.bak`;
    if (!existsSync(candidate)) return candidate;
  }
}

function wantedLanguage(asked: string | undefined, env: CommandContext['io']['env']): Language {
  return asked !== undefined && isLanguage(asked) ? asked : environmentLanguage(env);
}
