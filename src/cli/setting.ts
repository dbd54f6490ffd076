import { join, resolve } from 'node:path';
import type { Tool } from '@strands-agents/sdk';
import type { Language } from '../core/i18n.ts';
import type { CommandContext } from './command.ts';
import type { Config, ModelConfig } from './config/config.ts';
import { loadConfig } from './config/load.ts';
import { demoTools } from './demo/tools.ts';
import { DemoWorld, type Recovered } from './demo/world.ts';
import { environmentLanguage, isLanguage } from './language.ts';
import { type Say, speak } from './messages.ts';
import { loadTools } from './tools/load-tools.ts';

/** What holds for one command: configuration, language, folders. */
export interface Setting {
  readonly config: Config;
  readonly language: Language;
  readonly say: Say;
  readonly cwd: string;
  /** Absolute path of the data folder. */
  readonly dataDir: string;
  /** Whether the tools are those of the demo house. */
  readonly isDemoWorld: boolean;
  readonly model: ModelConfig | undefined;
}

/**
 * Reads the configuration and what the options and the environment say beside it.
 *
 * @throws ConfigError when the configuration is wrong.
 */
export function openSetting({ io, options, say }: CommandContext): Setting {
  const config = loadConfig(io.cwd, options.config, say);
  const asked = options.language !== undefined && isLanguage(options.language) ? options.language : undefined;
  const language = asked ?? config.language ?? environmentLanguage(io.env);
  const isDemo = options.demo === true;
  const model: ModelConfig | undefined = isDemo ? { provider: 'demo' } : config.model;
  return {
    config,
    language,
    say: speak(language),
    cwd: io.cwd,
    dataDir: resolve(io.cwd, options.data ?? (io.env.TAU_DATA || '.tau')),
    isDemoWorld: isDemo || (model?.provider === 'demo' && config.modules.length === 0),
    model,
  };
}

/**
 * The tools of a setting: those of the demo house, or those that the configuration names.
 *
 * @throws ConfigError when a module cannot be used.
 */
export async function openTools(
  setting: Setting,
  onRecovered: (recovered: Recovered) => void,
): Promise<readonly Tool[]> {
  if (!setting.isDemoWorld) return loadTools(setting.config.modules, setting.cwd, setting.say);
  const world = new DemoWorld(demoFolder(setting), { onRecovered });
  return demoTools(world, setting.language);
}

/** Where the demo world of a setting is. */
export function demoFolder({ dataDir }: Pick<Setting, 'dataDir'>): string {
  return join(dataDir, 'demo');
}
