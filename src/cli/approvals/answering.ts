import { z } from 'zod';
import { TerminalApprover, TerminalSession } from '../../channels/terminal/index.ts';
import type { ApprovalRequest } from '../../core/call.ts';
import { errorText } from '../../core/errors.ts';
import { type JSONValue, sealJson } from '../../core/json.ts';
import type { CommandContext } from '../command.ts';
import type { HubClient } from '../hub/hub-client.ts';
import type { Setting } from '../setting.ts';
import { UsageError } from '../usage-error.ts';
import { type Approval, approvalSchema, requestOf } from './approval-shape.ts';
import { detailText } from './text.ts';

/** Somebody who answers one question. */
export interface Answering {
  readonly context: CommandContext;
  readonly setting: Setting;
  readonly client: HubClient;
  /** Of the approval, in the API. */
  readonly path: string;
  /** The question as it was read just now. */
  readonly approval: Approval;
}

/** What became of an answer; `declined`: the person looked at the question and did not say yes. */
export type Outcome =
  | { readonly type: 'answered'; readonly approval: Approval; readonly result: string }
  | { readonly type: 'declined' };

const answered = z.object({ approval: approvalSchema, result: z.string() });

/**
 * Approves. At a terminal the question is shown and answered there, with what was typed instead of its arguments if
 * something was; elsewhere the digest has to be given, as the proof that somebody has seen it.
 */
export async function approve(answering: Answering): Promise<Outcome> {
  const { context, setting, approval } = answering;
  const { options, io } = context;
  const edited = options.edit === undefined ? undefined : readEdit(options.edit, setting);
  checkDigest(options.digest, setting);
  if (options.digest !== undefined) return send(answering, { digest: options.digest, ...edited });
  if (io.stdin.isTTY !== true) throw new UsageError(setting.say('approvals.needs_digest'));
  // Somebody else's answer came first: the hub says whose.
  if (approval.status !== 'pending') return send(answering, { digest: approval.digest });
  if (!(await saysYes(answering, edited?.editedArguments))) return { type: 'declined' };
  return send(answering, { digest: approval.digest, ...edited });
}

/** Rejects. Nothing has to be shown for a no. */
export async function reject({ context, setting, client, path, approval }: Answering): Promise<Outcome> {
  checkDigest(context.options.digest, setting);
  const { digest = approval.digest, reason } = context.options;
  const body = { decision: 'rejected', digest, ...(reason === undefined ? {} : { reason }) };
  return { type: 'answered', ...(await client.post(`${path}/decision`, body, answered)) };
}

/** A part of a digest, as a terminal shows it, proves nothing. */
function checkDigest(digest: string | undefined, { say }: Setting): void {
  if (digest === undefined || /^[0-9a-f]{64}$/.test(digest)) return;
  throw new UsageError(say('approvals.digest_format', { value: digest }));
}

async function send(
  { client, path }: Answering,
  answer: { readonly digest: string; readonly editedArguments?: JSONValue },
): Promise<Outcome> {
  const body = { decision: 'approved', ...answer };
  return { type: 'answered', ...(await client.post(`${path}/decision`, body, answered)) };
}

async function saysYes({ context, setting, approval }: Answering, edited?: JSONValue): Promise<boolean> {
  if (edited !== undefined) context.io.stdout.write(originalText(approval, setting));
  const session = new TerminalSession({ input: context.io.stdin, output: context.io.stdout });
  try {
    const approver = new TerminalApprover({ session, language: setting.language, announces: false });
    const { signal } = new AbortController();
    const request = edited === undefined ? requestOf(approval) : editedRequest(approval, edited, setting);
    return (await approver.decide(request, { signal })) === 'approved';
  } finally {
    session.close();
  }
}

/** The question as it is, to be compared with. */
function originalText(approval: Approval, setting: Setting): string {
  return `${setting.say('approvals.before_edit')}\n${detailText(approval, setting)}\n`;
}

/**
 * The call that a yes would be about. Only the hub knows what the tool says of it; where that depends on the arguments, the
 * hub asks again.
 */
function editedRequest(approval: Approval, edited: JSONValue, { say }: Setting): ApprovalRequest {
  const effect = say('approvals.effect_before_edit', { effect: approval.effect });
  return { ...requestOf(approval), arguments: edited, effect };
}

function readEdit(text: string, { say }: Setting): { readonly editedArguments: JSONValue } {
  try {
    return { editedArguments: sealJson(JSON.parse(text)) };
  } catch (error) {
    throw new UsageError(say('approvals.edit_json', { problem: errorText(error) }));
  }
}
