import { accessSync, constants, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorText } from '../../core/errors.ts';
import type { CliIo } from '../io.ts';
import { logFile } from '../log.ts';
import type { Say } from '../messages.ts';
import { createModel } from '../models/create-model.ts';
import { isLink } from '../own-file.ts';
import { openTools, type Setting } from '../setting.ts';
import type { Finding } from './finding.ts';

const OLDEST_NODE: readonly [major: number, minor: number] = [22, 18];
const SDK = '@strands-agents/sdk';

/** Whether this Node can run tau. */
export function checkNode(version: string, say: Say): Finding {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const isNewEnough = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  return isNewEnough
    ? { check: 'doctor.node', status: 'ok', text: say('doctor.node_ok', { version }) }
    : { check: 'doctor.node', status: 'broken', text: say('doctor.node_old', { version }) };
}

/** Whether the SDK is there, and whether the user's folder would get another copy than tau does. */
export function checkSdk(cwd: string, say: Say): Finding {
  const own = sdkFolder(fileURLToPath(import.meta.url));
  if (own === undefined) return { check: 'doctor.sdk', status: 'broken', text: say('doctor.sdk_missing') };
  const theirs = sdkFolder(join(cwd, 'tau.toml'));
  if (theirs !== undefined && theirs !== own)
    return { check: 'doctor.sdk', status: 'note', text: say('doctor.sdk_two', { paths: `${own}, ${theirs}` }) };
  return { check: 'doctor.sdk', status: 'ok', text: say('doctor.sdk_ok', { version: sdkVersion(own) }) };
}

function sdkFolder(from: string): string | undefined {
  const folders = createRequire(from).resolve.paths(SDK) ?? [];
  const found = folders.map((folder) => join(folder, SDK)).find((folder) => existsSync(join(folder, 'package.json')));
  return found === undefined ? undefined : realpathSync(found);
}

function sdkVersion(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '?';
}

/** Whether all tool modules load. */
export async function checkTools(setting: Setting): Promise<Finding> {
  const { say } = setting;
  try {
    const tools = await openTools(setting, () => undefined);
    if (tools.length === 0) return { check: 'doctor.tools', status: 'note', text: say('doctor.tools_none') };
    const names = tools.map(({ name }) => name).join(', ');
    return { check: 'doctor.tools', status: 'ok', text: say('doctor.tools_ok', { count: tools.length, names }) };
  } catch (error) {
    return { check: 'doctor.tools', status: 'broken', text: errorText(error) };
  }
}

/** Whether the model can be made: its package is there and its key is set. Talks to nobody. */
export async function checkModel(setting: Setting, env: CliIo['env']): Promise<Finding> {
  const { model, say, language, config } = setting;
  if (model === undefined) {
    const path = config.file ?? 'tau.toml';
    return { check: 'doctor.model', status: 'broken', text: say('model.none', { path }) };
  }
  try {
    const made = await createModel(model, { env, language, say });
    const name = [model.provider, made.modelId].filter((part) => part !== undefined).join(' · ');
    return { check: 'doctor.model', status: 'ok', text: say('doctor.model_ok', { name }) };
  } catch (error) {
    return { check: 'doctor.model', status: 'broken', text: errorText(error) };
  }
}

/** Whether state can be written. */
export function checkData({ dataDir, say }: Setting): Finding {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    return { check: 'doctor.data', status: 'ok', text: say('doctor.data_ok', { path: dataDir }) };
  } catch (error) {
    const text = say('error.data_folder', { path: dataDir, problem: errorText(error) });
    return { check: 'doctor.data', status: 'broken', text };
  }
}

/** Whether the log can be written. */
export function checkLog(setting: Setting): Finding {
  const { config, say } = setting;
  const path = logFile(setting);
  if (config.log.file === undefined && isLink(path))
    return { check: 'doctor.log', status: 'broken', text: say('error.link', { path }) };
  try {
    const folder = dirname(path);
    mkdirSync(folder, { recursive: true });
    accessSync(existsSync(path) ? path : folder, constants.W_OK);
    return { check: 'doctor.log', status: 'ok', text: say('doctor.log_ok', { path }) };
  } catch (error) {
    return { check: 'doctor.log', status: 'broken', text: say('doctor.log_bad', { path, problem: errorText(error) }) };
  }
}

/** Whether a person can be asked here. */
export function checkTerminal({ stdin, stdout }: Pick<CliIo, 'stdin' | 'stdout'>, say: Say): Finding {
  if (!stdin.isTTY || !stdout.isTTY)
    return { check: 'doctor.terminal', status: 'note', text: say('doctor.terminal_none') };
  const { columns = 80, rows = 24 } = stdout;
  return { check: 'doctor.terminal', status: 'ok', text: say('doctor.terminal_ok', { columns, rows }) };
}
