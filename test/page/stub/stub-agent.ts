import { setTimeout as pause } from 'node:timers/promises';
import { ADA, type StubWorld } from './stub-world.ts';

/** One conversation of the stub. */
export interface StubThread {
  readonly threadId: string;
  status: 'idle' | 'running' | 'waiting';
  updatedAt: number;
  readonly messages: Record<string, unknown>[];
  /** Call of the question that is open, by the question's id. */
  readonly asked: Map<string, string>;
}

/** Where the agent speaks to. */
export interface Stage {
  readonly world: StubWorld;
  readonly threads: Map<string, StubThread>;
  readonly tell: (name: string, data: unknown) => void;
}

type Event = Record<string, unknown> & { readonly type: string };

/** Changes where a conversation is, and tells of it. */
function move({ tell }: Stage, thread: StubThread, status: StubThread['status']): void {
  thread.status = status;
  thread.updatedAt = Date.now();
  tell('thread', { threadId: thread.threadId, status });
}

/** A run that follows a script which the message chooses. */
export async function* runScript(
  stage: Stage,
  input: { readonly threadId: string; readonly runId: string; readonly text: string; readonly messageId: string },
): AsyncGenerator<Event> {
  const { threadId, runId, text } = input;
  const thread = threadOf(stage, threadId);
  const ids = { threadId, runId };
  thread.messages.push({ id: input.messageId, role: 'user', content: text });
  move(stage, thread, 'running');
  yield { type: 'RUN_STARTED', ...ids };
  try {
    if (text.includes('fail')) {
      yield { type: 'RUN_ERROR', message: 'The model service is not available.', code: 'STRANDS_ERROR' };
      return;
    }
    if (text.includes('unlock')) {
      yield* unlocking(stage, thread, ids);
      return;
    }
    yield* text.includes('slow') ? slowTalk(thread) : reading(thread);
    yield { type: 'RUN_FINISHED', ...ids, outcome: { type: 'success' } };
  } finally {
    if (thread.status === 'running') move(stage, thread, 'idle');
  }
}

async function* slowTalk(thread: StubThread): AsyncGenerator<Event> {
  const messageId = `a-${thread.messages.length}`;
  yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' };
  for (let i = 0; i < 200; i += 1) {
    yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: `word${i} ` };
    await pause(50);
  }
  yield { type: 'TEXT_MESSAGE_END', messageId };
}

function* reading(thread: StubThread): Generator<Event> {
  const messageId = `a-${thread.messages.length}`;
  const toolCallId = `c-${thread.messages.length}`;
  const thought = `r-${thread.messages.length}`;
  yield { type: 'REASONING_MESSAGE_START', messageId: thought, role: 'reasoning' };
  yield { type: 'REASONING_MESSAGE_CONTENT', messageId: thought, delta: 'I look at the thermostat first.' };
  yield { type: 'REASONING_MESSAGE_END', messageId: thought };
  yield { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'read_thermostat', parentMessageId: messageId };
  yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: '{"room":' };
  yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: '"hall"}' };
  yield { type: 'TOOL_CALL_END', toolCallId };
  yield { type: 'TOOL_CALL_RESULT', messageId: `t-${toolCallId}`, toolCallId, content: '{"celsius":19.5}' };
  const text = 'It is 19.5 °C in the hall.';
  yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' };
  for (const word of text.split(/(?= )/)) yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: word };
  yield { type: 'TEXT_MESSAGE_END', messageId };
  const call = {
    id: toolCallId,
    type: 'function',
    function: { name: 'read_thermostat', arguments: '{"room":"hall"}' },
  };
  thread.messages.push(
    { id: thought, role: 'reasoning', content: 'I look at the thermostat first.' },
    { id: `${messageId}-c`, role: 'assistant', toolCalls: [call] },
    { id: `t-${toolCallId}`, role: 'tool', toolCallId, content: '{"celsius":19.5}' },
    { id: messageId, role: 'assistant', content: text },
  );
}

async function* unlocking(
  stage: Stage,
  thread: StubThread,
  ids: { readonly threadId: string; readonly runId: string },
): AsyncGenerator<Event> {
  const messageId = `a-${thread.messages.length}`;
  const toolCallId = `c-${thread.messages.length}`;
  const args = { door: 'front' };
  const call = { id: toolCallId, type: 'function', function: { name: 'unlock_door', arguments: JSON.stringify(args) } };
  const said = 'I will unlock the front door.';
  yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' };
  yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: said };
  yield { type: 'TEXT_MESSAGE_END', messageId };
  yield { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'unlock_door', parentMessageId: messageId };
  yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(args) };
  yield { type: 'TOOL_CALL_END', toolCallId };
  thread.messages.push({ id: messageId, role: 'assistant', content: said, toolCalls: [call] });
  const id = await stage.world.ask('unlock_door', args, thread.threadId, ADA.id);
  thread.asked.set(id, toolCallId);
  move(stage, thread, 'waiting');
  const interrupts = [{ id, reason: 'tau:approval', message: 'unlock_door', toolCallId }];
  yield { type: 'RUN_FINISHED', ...ids, outcome: { type: 'interrupt', interrupts } };
}

/** What the hub does by itself when a question was decided: the parked run goes on. */
export async function resume(stage: Stage, id: string): Promise<void> {
  const record = await stage.world.store.get(id);
  const thread = [...stage.threads.values()].find(({ asked }) => asked.has(id) || asked.has(record?.editOf ?? ''));
  const toolCallId = thread?.asked.get(id) ?? thread?.asked.get(record?.editOf ?? '');
  if (record?.decision === undefined || thread === undefined || toolCallId === undefined) return;
  if (record.status !== 'approved' && record.status !== 'rejected') return;
  thread.asked.delete(id);
  move(stage, thread, 'running');
  const approved = record.status === 'approved';
  if (approved) {
    await stage.world.store.consume(id, 'token', Date.now());
    await pause(100);
    const outcome = { status: 'done', at: Date.now(), result: { door: 'front', state: 'unlocked' } } as const;
    await stage.world.store.finish(id, 'token', outcome);
  }
  thread.messages.push(
    { id: `t-${id}`, role: 'tool', toolCallId, content: approved ? '{"state":"unlocked"}' : 'A person said no.' },
    {
      id: `a-${id}`,
      role: 'assistant',
      content: approved ? 'The front door is now unlocked.' : 'I did not unlock the door.',
    },
  );
  move(stage, thread, 'idle');
}

function threadOf({ threads }: Stage, threadId: string): StubThread {
  const known = threads.get(threadId);
  if (known !== undefined) return known;
  const thread: StubThread = { threadId, status: 'idle', updatedAt: Date.now(), messages: [], asked: new Map() };
  threads.set(threadId, thread);
  return thread;
}
