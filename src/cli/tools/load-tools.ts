import { existsSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Tool } from '@strands-agents/sdk';
import { ConfigError, errorText } from '../../core/errors.ts';
import { tierOf } from '../../strands/index.ts';
import type { Say } from '../messages.ts';
import { isCommonJs } from './module-kind.ts';
import { shareOwnPackages } from './own-packages.ts';
import { placeOf } from './place-of.ts';

/**
 * Loads the guarded tools that the modules of a configuration export by default: one tool, or a list of them.
 *
 * @throws ConfigError that names the file and what is wrong with it.
 */
export async function loadTools(modules: readonly string[], cwd: string, say: Say): Promise<readonly Tool[]> {
  if (modules.length === 0) return [];
  const unshare = shareOwnPackages();
  try {
    const tools: Tool[] = [];
    for (const file of modules) tools.push(...(await loadModule(file, cwd, say)));
    return tools;
  } finally {
    unshare();
  }
}

async function loadModule(file: string, cwd: string, say: Say): Promise<readonly Tool[]> {
  const path = relative(cwd, file) || file;
  if (!existsSync(file)) throw new ConfigError(say('tools.missing', { path }));
  const exported = await importDefault(file, cwd, say);
  if (exported === undefined) throw new ConfigError(say('tools.no_default', { path }));
  const items: readonly unknown[] = Array.isArray(exported) ? exported.flat(8) : [exported];
  return items.map((item, index) => {
    if (item instanceof Tool && tierOf(item) !== undefined) return item;
    throw new ConfigError(
      say('tools.not_guarded', { path, what: describe(item, Array.isArray(exported) ? index : undefined) }),
    );
  });
}

async function importDefault(file: string, cwd: string, say: Say): Promise<unknown> {
  try {
    const module: unknown = await import(pathToFileURL(file).href);
    return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined;
  } catch (error) {
    const place = placeOf(error, file, cwd);
    const problem = `${place === undefined ? '' : `${place}: `}${problemOf(error, file, say)}`;
    throw new ConfigError(say('tools.failed', { path: relative(cwd, file) || file, problem }), { cause: error });
  }
}

/** What is wrong with a module, and, for the usual mistakes, what to do. */
function problemOf(error: unknown, file: string, say: Say): string {
  const problem = firstLine(errorText(error));
  if (error instanceof Error && 'code' in error && error.code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return say('tools.typescript', { problem });
  const isScript = error instanceof SyntaxError && !/\.m[jt]s$/.test(file) && isCommonJs(dirname(file));
  return isScript ? say('tools.commonjs', { problem }) : problem;
}

function describe(item: unknown, index: number | undefined): string {
  const name = typeof item === 'object' && item !== null && 'name' in item ? `'${String(item.name)}'` : typeof item;
  return index === undefined ? name : `[${index}] (${name})`;
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
