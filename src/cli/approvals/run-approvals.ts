import { z } from 'zod';
import { closest } from '../../core/did-you-mean.ts';
import { TauError } from '../../core/errors.ts';
import { escapeText } from '../../core/escape.ts';
import type { CommandContext } from '../command.ts';
import { usageOf } from '../command.ts';
import { HubClient, HubRefusal } from '../hub/hub-client.ts';
import { jsonText } from '../json-text.ts';
import { openSetting, type Setting } from '../setting.ts';
import { UsageError } from '../usage-error.ts';
import { type Answering, approve, type Outcome, reject } from './answering.ts';
import { type Approval, approvalSchema } from './approval-shape.ts';
import { detailText, listText, timeText } from './text.ts';
import { APPROVALS } from './typed.ts';

const ACTIONS = ['list', 'show', 'approve', 'reject'] as const;

type Action = (typeof ACTIONS)[number];

/** Approvals that `list` shows. */
const SHOWN = 100;

const page = z.object({ approvals: z.array(approvalSchema), nextCursor: z.string().optional() });

/**
 * Exit codes beside the common ones.
 *
 * | code | meaning |
 * |---|---|
 * | 0 | done |
 * | 1 | failed, not found, or not approved by the person at the terminal |
 * | 3 | decided before, by somebody else or by time; the answer shows by whom |
 * | 4 | the question is not the one that was shown, or the edit must be looked at first |
 */
const DECIDED_BEFORE = 3;
const LOOK_AGAIN = 4;

/** Runs `tau approvals`. */
export async function runApprovals(context: CommandContext): Promise<number> {
  const setting = openSetting(context);
  const action = readAction(context, setting);
  const [, id] = context.positionals;
  if (action === 'list') return list(context, setting, new HubClient(context, setting));
  if (id === undefined) {
    throw new UsageError(setting.say('usage.too_few', { missing: 'ID', usage: usageOf(APPROVALS) }));
  }
  const client = new HubClient(context, setting);
  const path = `/api/approvals/${encodeURIComponent(id)}`;
  const { approval } = await known(client.get(path, z.object({ approval: approvalSchema })), id, setting);
  if (action === 'show') {
    print(context, { approval }, () => detailText(approval, setting));
    return 0;
  }
  return answer({ context, setting, client, path, approval }, action);
}

/** Says which id it was that the hub knows nothing of. */
async function known<T>(reading: Promise<T>, id: string, { say }: Setting): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof HubRefusal) || error.code !== 'not_found') throw error;
    throw new TauError(error.code, say('approvals.not_found', { id }), { cause: error });
  }
}

function readAction({ positionals }: CommandContext, { say }: Setting): Action {
  const [given = ''] = positionals;
  const action = ACTIONS.find((known) => known === given);
  if (action !== undefined) return action;
  const word = closest(given, ACTIONS);
  const hint = word === undefined ? '' : say('usage.did_you_mean', { word });
  throw new UsageError(say('usage.unknown_command', { command: given, hint, commands: ACTIONS.join(', ') }));
}

async function list(context: CommandContext, setting: Setting, client: HubClient): Promise<number> {
  const { status = 'pending' } = context.options;
  const found = await newest(client, status === 'all' ? {} : { status });
  print(context, found, () => listText(found.approvals, setting));
  return 0;
}

/** The newest approvals. The hub looks at so many at a time, so an answer may hold few, or none, and have more behind it. */
async function newest(client: HubClient, filter: { readonly status?: string }): Promise<z.infer<typeof page>> {
  const approvals: Approval[] = [];
  let cursor: string | undefined;
  do {
    const limit = String(SHOWN - approvals.length);
    const place = cursor === undefined ? {} : { cursor };
    const query = new URLSearchParams({ limit, order: 'newest', ...filter, ...place });
    const read = await client.get(`/api/approvals?${query}`, page);
    approvals.push(...read.approvals);
    cursor = read.nextCursor;
  } while (cursor !== undefined && approvals.length < SHOWN);
  return { approvals, ...(cursor === undefined ? {} : { nextCursor: cursor }) };
}

async function answer(answering: Answering, action: 'approve' | 'reject'): Promise<number> {
  const { context, setting } = answering;
  try {
    const outcome = action === 'approve' ? await approve(answering) : await reject(answering);
    return told(outcome, answering);
  } catch (error) {
    if (!(error instanceof HubRefusal)) throw error;
    if (error.code === 'invalid_arguments') throw unfit(error, answering);
    const winner = approvalSchema.safeParse(error.approval);
    if (error.code === 'already_decided' && winner.success) {
      const { data: approval } = winner;
      print(
        context,
        { error: error.code, approval },
        () => `${tooLate(approval, setting)}\n${detailText(approval, setting)}`,
      );
      return DECIDED_BEFORE;
    }
    if (error.code !== 'digest_mismatch') throw error;
    context.io.stderr.write(`${setting.say('approvals.other_digest')}\n`);
    return LOOK_AGAIN;
  }
}

/** An edit that the tool does not take. The hub says it in the words that a model reads of its own call. */
function unfit(error: HubRefusal, { setting, approval: { tool } }: Answering): TauError {
  const [, problem = error.message] =
    / is not valid: (.*)\. It was not run; correct the input\.$/s.exec(error.message) ?? [];
  return new TauError(error.code, setting.say('approvals.edit_invalid', { tool, problem }), { cause: error });
}

function told(outcome: Outcome, { context, setting }: Answering): number {
  if (outcome.type === 'declined') return 1;
  const { approval, result } = outcome;
  print(context, { approval, result }, () => `${done(approval, result, setting)}\n${detailText(approval, setting)}`);
  return result === 'asked_again' ? LOOK_AGAIN : 0;
}

/** What the answer did, in a line. */
function done({ status }: Approval, result: string, { say }: Setting): string {
  if (result === 'asked_again') return say('approvals.asked_again');
  return say(status === 'rejected' ? 'approvals.rejected' : 'approvals.approved');
}

/** Who or what was faster than the answer that was just given. */
function tooLate({ status, decision, closedBecause }: Approval, { say }: Setting): string {
  if (decision === undefined) return say('approvals.too_late_closed', { status, because: closedBecause ?? status });
  const { decision: answer, by, channel, at } = decision;
  return say('approvals.too_late', {
    decision: answer,
    by: escapeText(by.id),
    channel: escapeText(channel),
    at: timeText(at),
  });
}

function print({ io, options }: CommandContext, value: unknown, text: () => string): void {
  io.stdout.write(options.json ? `${jsonText(value)}\n` : text());
}
