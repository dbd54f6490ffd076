import { z } from 'zod';
import { isTextMessage } from './text-message.ts';

/** `null` stands for "not given" in clients that serialise every field. */
function maybe<T extends z.ZodType>(type: T) {
  return type.nullish().transform((value) => value ?? undefined);
}

/** A list of nonsense is not read to its end: each of its mistakes costs more than the request that makes it. */
const MAX_MISTAKES = 20;

/** More questions than any batch has; each answer is looked up in the store. */
const MAX_ANSWERS = 1000;

/** A list of items of one type, that stops at its first mistakes. `isPlain` names items that are of the type already. */
function listOf<T extends z.ZodType>(type: T, isPlain: (value: unknown) => boolean = () => false) {
  return z.array(z.unknown()).transform((given, context) => {
    const items: z.output<T>[] = [];
    for (const [at, value] of given.entries()) {
      if (isPlain(value)) {
        items.push(value as z.output<T>);
        continue;
      }
      const { data, error } = type.safeParse(value);
      for (const { message, path } of error?.issues ?? []) {
        context.issues.push({ code: 'custom', input: value, message, path: [at, ...path] });
      }
      if (context.issues.length >= MAX_MISTAKES) break;
      items.push(data as z.output<T>);
    }
    return items;
  });
}

const record = z.record(z.string(), z.unknown());

/** Longer than any id that a client makes, and short enough to be kept with everything that happens in a thread. */
const MAX_ID = 256;

const id = z.string().max(MAX_ID);

const source = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('data'), value: z.string(), mimeType: z.string() }),
  z.looseObject({ type: z.literal('url'), value: z.string(), mimeType: maybe(z.string()) }),
  z.looseObject({ type: z.literal('file'), value: z.string(), mimeType: maybe(z.string()) }),
]);

const binary = z
  .looseObject({
    type: z.literal('binary'),
    mimeType: z.string(),
    id: maybe(z.string()),
    url: maybe(z.string()),
    data: maybe(z.string()),
  })
  .refine(({ id, url, data }) => [id, url, data].some((given) => given !== undefined && given !== ''), {
    message: 'needs one of id, url and data',
  });

const part = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('image'), source }),
  z.looseObject({ type: z.literal('audio'), source }),
  z.looseObject({ type: z.literal('video'), source }),
  z.looseObject({ type: z.literal('document'), source }),
  binary,
]);

const content = z.union([z.string(), listOf(part)]);

const common = { id: z.string(), name: maybe(z.string()), encryptedValue: maybe(z.string()), metadata: maybe(record) };

const toolCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion('role', [
  z.looseObject({ ...common, role: z.literal('developer'), content: z.string() }),
  z.looseObject({ ...common, role: z.literal('system'), content: z.string() }),
  z.looseObject({
    ...common,
    role: z.literal('assistant'),
    content: maybe(z.string()),
    toolCalls: maybe(listOf(toolCall)),
  }),
  z.looseObject({ ...common, role: z.literal('user'), content }),
  z.looseObject({ ...common, role: z.literal('tool'), content, toolCallId: z.string(), error: maybe(z.string()) }),
  z.looseObject({ ...common, role: z.literal('activity'), activityType: z.string(), content: record }),
  z.looseObject({ ...common, role: z.literal('reasoning'), content: z.string() }),
]);

/** The messages, each as `message` has it; one of a text and nothing else is so already. */
const messages = listOf(message, isTextMessage);

const tool = z.looseObject({
  name: z.string(),
  description: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
  parameters: z.unknown().optional(),
  metadata: maybe(record),
});

const resumeEntry = z.looseObject({
  interruptId: z.string(),
  status: z.enum(['resolved', 'cancelled']),
  payload: z.unknown().optional(),
  metadata: maybe(record),
});

/**
 * A request as both generations of AG-UI clients send it. It is a schema of our own because neither generation's accepts
 * the other's requests: the older drops `protocolVersion` and refuses content parts of tools, the newer refuses `binary`
 * parts and a `null` payload, which means something here. It also does not depend on which generation is installed.
 */
export const runAgentInputSchema: z.ZodType = z.looseObject({
  threadId: id,
  runId: id,
  protocolVersion: maybe(z.string()),
  parentRunId: maybe(id),
  state: z.unknown().optional(),
  messages,
  tools: listOf(tool)
    .nullish()
    .transform((tools) => tools ?? []),
  context: listOf(z.looseObject({ description: z.string(), value: z.string() }))
    .nullish()
    .transform((entries) => entries ?? []),
  forwardedProps: z.unknown().optional(),
  resume: maybe(
    z
      .array(z.unknown())
      .max(MAX_ANSWERS, `has more than ${MAX_ANSWERS} entries; answer the open interrupts of this thread and no others`)
      .pipe(listOf(resumeEntry)),
  ),
});
