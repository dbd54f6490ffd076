import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import type { Agent, SessionManager } from '@strands-agents/sdk';
import type { Logger } from '../../../src/ag-ui/index.ts';
import type { Sdk } from './fixed-model.ts';

const NAME = '@ag-ui/aws-strands';

/** What the published bridge was built and tested with. */
const PACKAGES: readonly string[] = [
  `${NAME}@0.2.3`,
  '@ag-ui/core@0.0.57',
  '@ag-ui/client@0.0.57',
  '@ag-ui/encoder@0.0.57',
  '@ag-ui/a2ui-toolkit@0.0.4',
  'express@5',
  'cors@2',
];

/** The published bridge, loaded from a folder of its own together with its own copy of the SDK. */
export interface Peer {
  readonly sdk: Sdk;
  readonly StrandsAgent: new (options: PeerOptions) => PeerAgent;
  createStrandsApp(agent: PeerAgent): Promise<RequestListener>;
  /** The versions that are measured, for the reader. */
  readonly versions: string;
}

export interface PeerOptions {
  readonly agent: Agent;
  readonly name: string;
  readonly config: {
    readonly logger: Logger;
    readonly sessionManagerProvider?: () => Promise<SessionManager>;
  };
}

export interface PeerAgent {
  run(input: RunAgentInput): AsyncGenerator<BaseEvent, void, void>;
}

/**
 * Loads the published bridge from the folder that `TAU_BENCH_PEER` names, or installs it into a temporary one.
 *
 * @returns Why there is none, when it cannot be had.
 */
export async function loadPeer(progress: (line: string) => void): Promise<Peer | string> {
  try {
    const folder = process.env.TAU_BENCH_PEER ?? (await installed(progress));
    const [bridge, server, sdk] = await Promise.all([
      load(folder, NAME, '.'),
      load(folder, NAME, './server'),
      load(folder, '@strands-agents/sdk', '.'),
    ]);
    const names = [NAME, '@ag-ui/core', '@strands-agents/sdk'];
    const versions = await Promise.all(names.map(async (name) => `${name} ${(await manifest(folder, name)).version}`));
    return { ...bridge, ...server, sdk, versions: versions.join(', ') } as Peer;
  } catch (error) {
    return `${NAME} cannot be had: ${String(error).split('\n')[0]}`;
  }
}

async function installed(progress: (line: string) => void): Promise<string> {
  const folder = join(tmpdir(), 'tau-bench-peer');
  if (existsSync(join(folder, 'node_modules', NAME))) return folder;
  progress(`installing ${NAME} into ${folder}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const { version } = await manifest(join(import.meta.dirname, '../../..'), '@strands-agents/sdk');
  const packages = [...PACKAGES, `@strands-agents/sdk@${version}`];
  const options = ['--no-audit', '--no-fund', '--ignore-scripts'];
  await promisify(execFile)('npm', ['install', ...options, ...packages], { cwd: folder, timeout: 300_000 });
  return folder;
}

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, { readonly [condition: string]: string | undefined }>>;
}

async function manifest(folder: string, name: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
}

async function load(folder: string, name: string, entry: string): Promise<object> {
  const { exports } = await manifest(folder, name);
  const { node, default: other, import: module = other } = exports[entry] ?? {};
  const file = node ?? module;
  if (file === undefined) throw new Error(`${name} has no entry ${entry}`);
  return import(pathToFileURL(join(folder, 'node_modules', name, file)).href);
}
