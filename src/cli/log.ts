import { mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configureLogging } from '@strands-agents/sdk';
import pino from 'pino';
import { ConfigError, errorText } from '../core/errors.ts';
import { escapeJson } from '../core/escape.ts';
import type { Logger } from '../core/platform.ts';
import { lineFile, quietly } from './log-file.ts';
import { openOwnFile } from './own-file.ts';
import type { Setting } from './setting.ts';

/** Where the log of a setting goes. */
export function logFile({ config, dataDir }: Pick<Setting, 'config' | 'dataDir'>): string {
  return config.log.file ?? join(dataDir, 'tau.log');
}

/**
 * Opens the log: JSON lines in a file, never on the screen, readable by this user only. The Strands SDK logs there
 * too. Secrets are hidden by the gate, which knows the paths. Only a log that the configuration names may be a link. A
 * line that cannot be written later, on a full disk, is lost with a note on the standard error; logging never throws.
 *
 * @throws ConfigError when the file cannot be written.
 */
export function openLog(setting: Setting): Logger {
  const log = makeLog(logFile(setting), setting);
  type Level = 'debug' | 'info' | 'warn' | 'error';
  // What cannot be turned into a text must not fail whoever logs it.
  const sdk =
    (level: Level) =>
    (...args: unknown[]) =>
      quietly(() => log[level]({ sdk: args.map(String) }, 'strands'));
  configureLogging({ debug: sdk('debug'), info: sdk('info'), warn: sdk('warn'), error: sdk('error') });
  const own =
    (level: Level): Logger['debug'] =>
    (message, fields = {}) =>
      quietly(() => log[level](fields, message));
  return { debug: own('debug'), info: own('info'), warn: own('warn'), error: own('error') };
}

function makeLog(path: string, { config, say }: Setting): pino.Logger {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const descriptor = config.log.file === undefined ? openOwnFile(path, 'append') : openSync(path, 'a', 0o600);
    const file = lineFile(descriptor, (problem) =>
      process.stderr.write(`${say('log.lost', { path, problem: errorText(problem) })}\n`),
    );
    const options = { level: config.log.level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
    // A log is read on a terminal: nothing that a model wrote may act there, or hide.
    return pino(options, { write: (line) => file.write(escapeJson(line)) });
  } catch (error) {
    throw new ConfigError(say('doctor.log_bad', { path, problem: errorText(error) }), { cause: error });
  }
}
