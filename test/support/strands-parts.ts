import {
  AfterToolCallEvent,
  type HookableEvent,
  type HookableEventConstructor,
  type HookCallback,
  JsonBlock,
  type Plugin,
  SessionManager,
  type Snapshot,
  TextBlock,
  Tool,
  type ToolContext,
  ToolResultBlock,
} from '@strands-agents/sdk';
import { type HookOption, hook } from 'strands-tau/strands';

/** A plugin made of one function. */
export function plugin(name: string, initAgent: Plugin['initAgent'], tools: Tool[] = []): Plugin {
  return { name, initAgent, getTools: () => tools };
}

/** A Strands tool that nobody guards; it notes when it ran. */
export class ForeignTool extends Tool {
  readonly name: string;
  readonly description: string = 'A tool without a guard.';
  readonly toolSpec: Tool['toolSpec'];
  readonly inputs: unknown[] = [];
  readonly #status: 'success' | 'error';

  constructor(name: string, options: { annotations?: object; status?: 'success' | 'error' } = {}) {
    super();
    this.name = name;
    this.#status = options.status ?? 'success';
    this.toolSpec = {
      name,
      description: this.description,
      inputSchema: { type: 'object' },
      ...(options.annotations === undefined ? {} : { annotations: options.annotations }),
    } as Tool['toolSpec'];
  }

  // biome-ignore lint/correctness/useYield: it reports no progress
  async *stream({ toolUse }: ToolContext): ReturnType<Tool['stream']> {
    this.inputs.push(toolUse.input);
    return new ToolResultBlock({
      toolUseId: toolUse.toolUseId,
      status: this.#status,
      content: [new TextBlock('foreign tool ran')],
    });
  }
}

/** A hook for `buildAgent`, typed by its event. */
export function on<T extends HookableEvent>(
  event: HookableEventConstructor<T>,
  callback: HookCallback<T>,
  order?: number,
): HookOption {
  return hook(event, callback, order);
}

/** Puts something in each result of `read_lock` that JSON cannot carry, so that what waits beside it cannot be kept. */
export const UNCOPYABLE: HookOption = on(AfterToolCallEvent, (event) => {
  const { toolUseId, name } = event.toolUse;
  if (name !== 'read_lock') return;
  const json = { count: 1n } as unknown as JsonBlock['json'];
  event.result = new ToolResultBlock({ toolUseId, status: 'success', content: [new JsonBlock({ json })] });
});

/** Sessions in the memory of the test; JSON, as on a disk. */
export class SessionDisk {
  readonly files: Map<string, string> = new Map();

  /** A session manager of the SDK that saves here. */
  session(sessionId: string = 's1'): SessionManager {
    const { files } = this;
    return new SessionManager({
      sessionId,
      storage: {
        snapshot: {
          saveSnapshot: async ({ snapshot }) => void files.set(sessionId, JSON.stringify(snapshot)),
          loadSnapshot: async () => this.read(sessionId) ?? null,
          listSnapshotIds: async () => [],
          deleteSession: async () => void files.delete(sessionId),
          loadManifest: async () => ({ schemaVersion: '1.0', updatedAt: '' }),
          saveManifest: async () => undefined,
        },
      },
    });
  }

  read(sessionId: string = 's1'): Snapshot | undefined {
    const file = this.files.get(sessionId);
    return file === undefined ? undefined : (JSON.parse(file) as Snapshot);
  }

  /** Changes the file behind everybody's back. */
  edit(change: (text: string) => string, sessionId: string = 's1'): void {
    this.files.set(sessionId, change(this.files.get(sessionId) ?? ''));
  }
}
