import type { Model } from '@strands-agents/sdk';
import type { ModelConfig } from '../config/config.ts';
import type { Provider } from '../config/schema.ts';

/** A provider of models behind a network. */
export type RemoteProvider = Exclude<Provider, 'demo'>;

/** What a provider needs before its model can be made. */
export interface ProviderNeeds {
  /** The package that the SDK leaves to the user to install, with the range it accepts. */
  readonly npm?: { readonly name: string; readonly range: string };
  /** The environment variable for the key when the configuration names none; Bedrock finds its keys itself. */
  readonly keyEnv?: string;
}

/** The needs of each provider. */
export const PROVIDER_NEEDS: Readonly<Record<RemoteProvider, ProviderNeeds>> = {
  bedrock: {},
  anthropic: { npm: { name: '@anthropic-ai/sdk', range: '^0.109.1' }, keyEnv: 'ANTHROPIC_API_KEY' },
  openai: { npm: { name: 'openai', range: '^6.45.0' }, keyEnv: 'OPENAI_API_KEY' },
  google: { npm: { name: '@google/genai', range: '^2.6.0' }, keyEnv: 'GEMINI_API_KEY' },
};

/** Servers that speak OpenAI's protocol at home take any key, and the client insists on one. */
const NO_KEY = 'none';

/** Makes the model, with the SDK's own class for the provider; loads only that one. */
export async function makeRemoteModel(
  provider: RemoteProvider,
  config: ModelConfig,
  apiKey: string | undefined,
): Promise<Model> {
  const common = commonOptions(config);
  const key = apiKey === undefined ? {} : { apiKey };
  switch (provider) {
    case 'bedrock':
      return new (await import('@strands-agents/sdk/models/bedrock')).BedrockModel(common);
    case 'anthropic':
      return new (await import('@strands-agents/sdk/models/anthropic')).AnthropicModel({ ...common, ...key });
    case 'google':
      return new (await import('@strands-agents/sdk/models/google')).GoogleModel({ ...common, ...key });
    case 'openai': {
      const { OpenAIModel } = await import('@strands-agents/sdk/models/openai');
      if (config.baseUrl === undefined) return new OpenAIModel({ ...common, ...key });
      const clientConfig = { baseURL: config.baseUrl };
      return new OpenAIModel({ ...common, api: 'chat', apiKey: apiKey ?? NO_KEY, clientConfig });
    }
    default:
      return provider satisfies never;
  }
}

function commonOptions({ modelId, maxTokens, temperature }: ModelConfig): {
  readonly modelId?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
} {
  return {
    ...(modelId === undefined ? {} : { modelId }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
  };
}
