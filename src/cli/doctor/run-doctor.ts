import { relative } from 'node:path';
import { errorText } from '../../core/errors.ts';
import { safeLines } from '../chat/safe-text.ts';
import type { CommandContext } from '../command.ts';
import { jsonText } from '../json-text.ts';
import type { Say } from '../messages.ts';
import { openSetting, type Setting } from '../setting.ts';
import { checkPolicy } from './check-policy.ts';
import { checkData, checkLog, checkModel, checkNode, checkSdk, checkTerminal, checkTools } from './checks.ts';
import type { Finding } from './finding.ts';

const MARKS: Readonly<Record<Finding['status'], string>> = { ok: '✓', note: '!', doubtful: '!', broken: '✗' };

/** Runs `tau doctor`. */
export async function runDoctor(context: CommandContext): Promise<number> {
  const { io, options } = context;
  const opened = tryOpen(context);
  const say = 'setting' in opened ? opened.setting.say : context.say;
  const findings: readonly Finding[] = [
    checkNode(process.version, say),
    checkSdk(io.cwd, say),
    ...('setting' in opened ? await checkSetting(opened.setting, context) : [opened.finding, ...skipped(say)]),
    checkTerminal(io, say),
  ];
  const broken = findings.filter(({ status }) => status === 'broken').length;
  io.stdout.write(options.json ? asJson(findings) : asText(findings, broken, say));
  return broken === 0 ? 0 : 1;
}

function tryOpen(context: CommandContext): { readonly setting: Setting } | { readonly finding: Finding } {
  try {
    return { setting: openSetting(context) };
  } catch (error) {
    return { finding: { check: 'doctor.config', status: 'broken', text: errorText(error) } };
  }
}

async function checkSetting(setting: Setting, { io }: CommandContext): Promise<readonly Finding[]> {
  const { config, say } = setting;
  const configured: Finding =
    config.file === undefined
      ? { check: 'doctor.config', status: 'note', text: say('doctor.config_none') }
      : { check: 'doctor.config', status: 'ok', text: relative(io.cwd, config.file) || config.file };
  return [
    configured,
    await checkTools(setting),
    await checkPolicy(setting),
    await checkModel(setting, io.env),
    checkData(setting),
    checkLog(setting),
  ];
}

function skipped(say: Say): readonly Finding[] {
  return (['doctor.tools', 'doctor.policy', 'doctor.model', 'doctor.data', 'doctor.log'] as const).map((check) => ({
    check,
    status: 'note',
    text: say('doctor.skipped'),
  }));
}

function asJson(findings: readonly Finding[]): string {
  const checks = findings.map(({ check, ...rest }) => ({ check: check.replace('doctor.', ''), ...rest }));
  return `${jsonText({ ok: findings.every(({ status }) => status !== 'broken'), checks })}\n`;
}

function asText(findings: readonly Finding[], broken: number, say: Say): string {
  const width = Math.max(...findings.map(({ check }) => say(check).length));
  const indent = ' '.repeat(width + 4);
  const lines = findings.map(({ check, status, text }) => {
    const shown = safeLines(text).replaceAll('\n', `\n${indent}`);
    return `${MARKS[status]} ${say(check).padEnd(width)}  ${shown}`;
  });
  return [...lines, '', summary(findings, broken, say), ''].join('\n');
}

function summary(findings: readonly Finding[], broken: number, say: Say): string {
  if (broken > 0) return say('doctor.broken', { count: broken });
  const doubtful = findings.filter(({ status }) => status === 'doubtful').length;
  return doubtful > 0 ? say('doctor.doubtful', { count: doubtful }) : say('doctor.all_ok');
}
