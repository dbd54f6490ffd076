import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configureLogging } from '@strands-agents/sdk';
import pino from 'pino';
import { ConfigError, errorText } from '../core/errors.ts';
import type { Logger } from '../core/platform.ts';
import { openOwnFile } from './own-file.ts';
import type { Setting } from './setting.ts';

/** Where the log of a setting goes. */
export function logFile({ config, dataDir }: Pick<Setting, 'config' | 'dataDir'>): string {
  return config.log.file ?? join(dataDir, 'tau.log');
}

/**
 * Opens the log: JSON lines in a file, never on the screen, readable by this user only. The Strands SDK logs there
 * too. Secrets are hidden by the gate, which knows the paths. Only a log that the configuration names may be a link.
 *
 * @throws ConfigError when the file cannot be written.
 */
export function openLog(setting: Setting): Logger {
  const log = makeLog(logFile(setting), setting);
  configureLogging({
    debug: (...args: unknown[]) => log.debug({ sdk: args.map(String) }, 'strands'),
    info: (...args: unknown[]) => log.info({ sdk: args.map(String) }, 'strands'),
    warn: (...args: unknown[]) => log.warn({ sdk: args.map(String) }, 'strands'),
    error: (...args: unknown[]) => log.error({ sdk: args.map(String) }, 'strands'),
  });
  return {
    debug: (message, fields = {}) => log.debug(fields, message),
    info: (message, fields = {}) => log.info(fields, message),
    warn: (message, fields = {}) => log.warn(fields, message),
    error: (message, fields = {}) => log.error(fields, message),
  };
}

function makeLog(path: string, { config, say }: Setting): pino.Logger {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // Synchronous: a line is on disk before what it tells about goes on, and none is lost when the process ends.
    const dest = config.log.file === undefined ? openOwnFile(path, 'append') : path;
    const destination = pino.destination({ dest, sync: true, mode: 0o600 });
    return pino({ level: config.log.level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  } catch (error) {
    throw new ConfigError(say('doctor.log_bad', { path, problem: errorText(error) }), { cause: error });
  }
}
