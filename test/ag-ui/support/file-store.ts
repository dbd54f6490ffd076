import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRecord, ApprovalStore, ParkedTurn, Transition } from 'strands-tau';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';

/** What the file holds. */
interface Content {
  readonly records: readonly ApprovalRecord[];
  readonly parked: readonly ParkedTurn[];
}

/**
 * A store for tests of restarts: one JSON file, replaced by an atomic rename after each change, and on disk before a
 * change is told. One process at a time. Reading it goes through the steps again, so that the file cannot say what the
 * store's own rules forbid.
 */
export class FileApprovalStore extends MemoryApprovalStore implements ApprovalStore {
  readonly #file: string;
  readonly #ids: string[] = [];
  readonly #parked = new Map<string, ParkedTurn>();
  #loaded: Promise<void> | undefined;

  constructor(folder: string) {
    super();
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, 'approvals.json');
  }

  override async create(record: ApprovalRecord): Promise<void> {
    await this.#load();
    await super.create(record);
    this.#ids.push(record.id);
    await this.#save();
  }

  override async get(id: string): Promise<ApprovalRecord | undefined> {
    await this.#load();
    return super.get(id);
  }

  override async list(...args: Parameters<ApprovalStore['list']>): ReturnType<ApprovalStore['list']> {
    await this.#load();
    return super.list(...args);
  }

  override deliver(...args: Parameters<ApprovalStore['deliver']>): Promise<Transition> {
    return this.#change(() => super.deliver(...args));
  }

  override decide(...args: Parameters<ApprovalStore['decide']>): Promise<Transition> {
    return this.#change(() => super.decide(...args));
  }

  override consume(...args: Parameters<ApprovalStore['consume']>): Promise<Transition> {
    return this.#change(() => super.consume(...args));
  }

  override finish(...args: Parameters<ApprovalStore['finish']>): Promise<Transition> {
    return this.#change(() => super.finish(...args));
  }

  override lose(...args: Parameters<ApprovalStore['lose']>): Promise<Transition> {
    return this.#change(() => super.lose(...args));
  }

  override close(...args: Parameters<ApprovalStore['close']>): Promise<Transition> {
    return this.#change(() => super.close(...args));
  }

  override expire(now: number): Promise<readonly string[]> {
    return this.#change(() => super.expire(now));
  }

  override park(turn: ParkedTurn): Promise<void> {
    return this.#change(async () => {
      await super.park(turn);
      this.#parked.set(turn.conversation, turn);
    });
  }

  override async parked(conversation: string): Promise<ParkedTurn | undefined> {
    await this.#load();
    return super.parked(conversation);
  }

  override unpark(conversation: string): Promise<void> {
    return this.#change(async () => {
      await super.unpark(conversation);
      this.#parked.delete(conversation);
    });
  }

  async #change<T>(change: () => Promise<T>): Promise<T> {
    await this.#load();
    const changed = await change();
    await this.#save();
    return changed;
  }

  #load(): Promise<void> {
    this.#loaded ??= this.#read();
    return this.#loaded;
  }

  async #read(): Promise<void> {
    const { records, parked } = readContent(this.#file);
    for (const record of records) {
      await super.create(record);
      this.#ids.push(record.id);
    }
    for (const turn of parked) {
      await super.park(turn);
      this.#parked.set(turn.conversation, turn);
    }
  }

  async #save(): Promise<void> {
    const found = await Promise.all(this.#ids.map((id) => super.get(id)));
    const records = found.filter((record) => record !== undefined);
    const content: Content = { records, parked: [...this.#parked.values()] };
    const scratch = `${this.#file}.new`;
    const handle = openSync(scratch, 'w');
    writeSync(handle, JSON.stringify(content));
    fsyncSync(handle);
    closeSync(handle);
    renameSync(scratch, this.#file);
  }
}

function readContent(file: string): Content {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { records: [], parked: [] };
    throw error;
  }
}
