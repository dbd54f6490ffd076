import type { CliMessageKey } from './messages.ts';

/** Name of an option, without its dashes. */
export type OptionName = 'config' | 'data' | 'demo' | 'language' | 'json' | 'force' | 'help' | 'version';

/** One option. */
export interface OptionSpec {
  /** What its value is called in the help; one without takes no value. */
  readonly value?: string;
  readonly short?: string;
  readonly summary: CliMessageKey;
}

/** Every option that some command takes. */
export const OPTIONS: Readonly<Record<OptionName, OptionSpec>> = {
  config: { value: 'tau.toml', summary: 'option.config' },
  data: { value: 'DIR', summary: 'option.data' },
  demo: { summary: 'option.demo' },
  language: { value: 'en|tr', summary: 'option.language' },
  json: { summary: 'option.json' },
  force: { summary: 'option.force' },
  help: { short: 'h', summary: 'option.help' },
  version: { summary: 'option.version' },
};
