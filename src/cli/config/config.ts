import type { Language } from '../../core/i18n.ts';
import { DEFAULT_HUB_CONFIG, type HubConfig } from './hub-config.ts';
import type { Provider } from './schema.ts';

/** Which model answers. */
export interface ModelConfig {
  readonly provider: Provider;
  readonly modelId?: string;
  readonly baseUrl?: string;
  /** Name of the environment variable that holds the key. */
  readonly apiKeyEnv?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
}

/** A configuration that was checked. Paths are absolute. */
export interface Config {
  /** The file that it was read from; `undefined` when there is none and defaults are used. */
  readonly file: string | undefined;
  readonly agent: { readonly maxTurns?: number; readonly systemPrompt?: string; readonly timeoutSeconds?: number };
  /** `undefined` leaves the choice to the environment. */
  readonly language: Language | undefined;
  readonly model: ModelConfig | undefined;
  /** Modules of guarded tools. */
  readonly modules: readonly string[];
  readonly log: {
    readonly level: 'debug' | 'info' | 'warn' | 'error';
    readonly file?: string;
    readonly redact: readonly string[];
  };
  /** What `tau serve` reads. */
  readonly hub: HubConfig;
}

/** What holds without a configuration file. */
export const DEFAULT_CONFIG: Config = {
  file: undefined,
  agent: {},
  language: undefined,
  model: undefined,
  modules: [],
  log: { level: 'info', redact: [] },
  hub: DEFAULT_HUB_CONFIG,
};
