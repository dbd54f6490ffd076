import type { CliMessageKey } from './messages.ts';

/** Name of an option, without its dashes. */
export type OptionName =
  | 'config'
  | 'data'
  | 'demo'
  | 'language'
  | 'json'
  | 'force'
  | 'head'
  | 'follow'
  | 'older-than'
  | 'keep-audit'
  | 'sessions'
  | 'host'
  | 'port'
  | 'status'
  | 'digest'
  | 'reason'
  | 'edit'
  | 'url'
  | 'principal'
  | 'scopes'
  | 'help'
  | 'version';

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
  head: { value: 'HASH', summary: 'option.head' },
  follow: { summary: 'option.follow' },
  'older-than': { value: 'AGE', summary: 'option.older_than' },
  'keep-audit': { value: 'AGE', summary: 'option.keep_audit' },
  sessions: { summary: 'option.sessions' },
  host: { value: 'ADDRESS', summary: 'option.host' },
  port: { value: 'N', summary: 'option.port' },
  status: { value: 'STATUS', summary: 'option.status' },
  digest: { value: 'HEX', summary: 'option.digest' },
  reason: { value: 'TEXT', summary: 'option.reason' },
  edit: { value: 'JSON', summary: 'option.edit' },
  url: { value: 'URL', summary: 'option.url' },
  principal: { value: 'ID', summary: 'option.principal' },
  scopes: { value: 'run,decide', summary: 'option.scopes' },
  help: { short: 'h', summary: 'option.help' },
  version: { summary: 'option.version' },
};
