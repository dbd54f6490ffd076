import type { Model } from '@strands-agents/sdk';
import { ConfigError, errorText } from '../../core/errors.ts';
import type { Language } from '../../core/i18n.ts';
import type { ModelConfig } from '../config/config.ts';
import { DemoModel } from '../demo/model/demo-model.ts';
import type { Say } from '../messages.ts';
import { makeRemoteModel, PROVIDER_NEEDS, type RemoteProvider } from './providers.ts';

/** What making a model depends on. */
export interface ModelSetting {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly language: Language;
  readonly say: Say;
  /** Pauses of the demo model, so that a person can watch it speak. */
  readonly demoPace?: { readonly thinkMs: number; readonly wordMs: number };
}

/**
 * Makes the configured model. Keys come from the environment only.
 *
 * @throws ConfigError that names the environment variable to set or the package to install.
 */
export async function createModel(config: ModelConfig, setting: ModelSetting): Promise<Model> {
  const { provider } = config;
  if (provider === 'demo') return new DemoModel({ language: setting.language, ...setting.demoPace });
  const apiKey = findKey(provider, config, setting);
  try {
    return await makeRemoteModel(provider, config, apiKey);
  } catch (error) {
    throw modelError(provider, error, setting.say);
  }
}

function findKey(provider: RemoteProvider, config: ModelConfig, { env, say }: ModelSetting): string | undefined {
  // A key meant for the provider itself is not sent to another server: with base_url it must be named.
  const fallback = config.baseUrl === undefined ? PROVIDER_NEEDS[provider].keyEnv : undefined;
  const name = config.apiKeyEnv ?? fallback;
  if (name === undefined) return undefined;
  const value = env[name];
  if (value === undefined || value === '') throw new ConfigError(say('model.no_key', { provider, env: name }));
  return value;
}

function modelError(provider: RemoteProvider, error: unknown, say: Say): ConfigError {
  const { npm } = PROVIDER_NEEDS[provider];
  if (npm !== undefined && isMissingPackage(error, npm.name)) {
    const spec = `${npm.name}@${npm.range}`;
    return new ConfigError(say('model.no_package', { provider, package: npm.name, spec }), { cause: error });
  }
  return new ConfigError(say('model.failed', { provider, problem: errorText(error) }), { cause: error });
}

function isMissingPackage(error: unknown, name: string): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ERR_MODULE_NOT_FOUND' && errorText(error).includes(`'${name}'`);
}
