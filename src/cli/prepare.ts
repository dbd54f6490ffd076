import { mkdirSync } from 'node:fs';
import { relative } from 'node:path';
import { ConfigError, errorText } from '../core/errors.ts';
import type { ModelConfig } from './config/config.ts';
import { CONFIG_FILE } from './config/load.ts';
import type { Setting } from './setting.ts';

/**
 * The model of a setting.
 *
 * @throws ConfigError that says how to name one.
 */
export function requireModel({ model, config, cwd, say }: Setting): ModelConfig {
  if (model !== undefined) return model;
  const path = config.file === undefined ? CONFIG_FILE : relative(cwd, config.file) || config.file;
  throw new ConfigError(config.file === undefined ? say('config.missing', { path }) : say('model.none', { path }));
}

/**
 * Makes the data folder when it is not there.
 *
 * @throws ConfigError when it cannot be used.
 */
export function prepareFolder({ dataDir, say }: Setting): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError(say('error.data_folder', { path: dataDir, problem: errorText(error) }), { cause: error });
  }
}
