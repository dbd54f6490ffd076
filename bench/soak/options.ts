import { parseArgs } from 'node:util';

export interface SoakOptions {
  readonly seconds: number;
  readonly streams: number;
  readonly seed: number;
}

/** @throws TypeError when an option is unknown or no positive number. */
export function readOptions(): SoakOptions {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      streams: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
    },
  });
  return {
    seconds: positive('seconds', values.seconds),
    streams: positive('streams', values.streams),
    seed: positive('seed', values.seed),
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new TypeError(`--${name} must be a positive number, not ${JSON.stringify(text)}`);
  return value;
}
