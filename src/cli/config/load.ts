import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { ConfigError, errorText } from '../../core/errors.ts';
import type { Say } from '../messages.ts';
import { checkHub } from './check-hub.ts';
import { type Config, DEFAULT_CONFIG, type ModelConfig } from './config.ts';
import { toHubConfig } from './hub-config.ts';
import { type ConfigText, describeIssues, place } from './problems.ts';
import { type ConfigFile, fileSchema } from './schema.ts';
import { holdsUserInfo } from './shown-value.ts';

/** The file that is read when none is named. */
export const CONFIG_FILE = 'tau.toml';

/**
 * Reads and checks the configuration. Without `path` and without a `tau.toml` in the folder, the defaults hold.
 *
 * @throws ConfigError with one line for each mistake.
 */
export function loadConfig(cwd: string, path: string | undefined, say: Say): Config {
  const file = resolve(cwd, path ?? CONFIG_FILE);
  if (!existsSync(file)) {
    if (path === undefined) return DEFAULT_CONFIG;
    throw new ConfigError(say('config.missing', { path }));
  }
  const shownPath = path ?? (relative(cwd, file) || file);
  const text = parseToml(shownPath, readText(file, shownPath, say), say);
  const parsed = fileSchema.safeParse(text.value);
  if (!parsed.success) throw new ConfigError(describeIssues(parsed.error.issues, text, say).join('\n'));
  checkTogether(parsed.data, text, say);
  checkHub(parsed.data, text, say);
  return toConfig(parsed.data, file);
}

function readText(file: string, path: string, say: Say): string {
  try {
    // A pipe would be waited for, perhaps for ever.
    if (!statSync(file).isFile()) throw new Error(say('config.no_file'));
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(say('config.unreadable', { path, problem: errorText(error) }), { cause: error });
  }
}

function parseToml(path: string, toml: string, say: Say): ConfigText {
  try {
    return { path, toml, value: parse(toml) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [problem = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new ConfigError(say('config.syntax', { where: `${path}:${error.line}:${error.column}`, problem }), {
      cause: error,
    });
  }
}

/** Keys that are right on their own and wrong together. */
function checkTogether({ model }: ConfigFile, text: ConfigText, say: Say): void {
  if (model?.base_url === undefined) return;
  const where = place(text, 'model', 'base_url');
  const key = '[model] base_url';
  if (holdsUserInfo(model.base_url)) throw new ConfigError(say('config.user_info', { where, key }));
  if (model.provider !== 'openai')
    throw new ConfigError(say('config.only_with', { where, key, provider: '"openai"', value: `"${model.provider}"` }));
  if (model.model_id === undefined) throw new ConfigError(say('config.requires', { where, key, other: 'model_id' }));
}

function toConfig(parsed: ConfigFile, file: string): Config {
  const folder = dirname(file);
  const { agent, log, model } = parsed;
  return {
    file,
    agent: {
      ...given('maxTurns', agent?.max_turns),
      ...given('systemPrompt', agent?.system_prompt),
      ...given('timeoutSeconds', agent?.timeout_seconds),
    },
    language: parsed.ui?.language,
    model: model === undefined ? undefined : toModel(model),
    modules: (parsed.tools?.modules ?? []).map((path) => resolve(folder, path)),
    log: {
      level: log?.level ?? DEFAULT_CONFIG.log.level,
      redact: log?.redact ?? [],
      ...(log?.file === undefined ? {} : { file: resolve(folder, log.file) }),
    },
    hub: toHubConfig(parsed),
  };
}

function toModel(model: NonNullable<ConfigFile['model']>): ModelConfig {
  return {
    provider: model.provider,
    ...given('modelId', model.model_id),
    ...given('baseUrl', model.base_url),
    ...given('apiKeyEnv', model.api_key_env),
    ...given('maxTokens', model.max_tokens),
    ...given('temperature', model.temperature),
  };
}

function given<K extends string, V>(key: K, value: V | undefined): { readonly [k in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [k in K]: V });
}
