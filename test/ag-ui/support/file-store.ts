import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRecord, ApprovalStore, ParkedTurn, Transition } from 'strands-tau';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';

/**
 * A store for tests of restarts: one JSON file for each record and parked turn, replaced by an atomic rename before a
 * change is told. It outlives a process that is killed; one process at a time.
 */
export class FileApprovalStore extends MemoryApprovalStore implements ApprovalStore {
  readonly #records: string;
  readonly #turns: string;
  /** File names by id; they sort in the order of creation. */
  readonly #files = new Map<string, string>();
  #loaded: Promise<void> | undefined;

  constructor(folder: string) {
    super();
    this.#records = join(folder, 'records');
    this.#turns = join(folder, 'turns');
    for (const path of [this.#records, this.#turns]) mkdirSync(path, { recursive: true });
  }

  override async create(record: ApprovalRecord): Promise<void> {
    await this.#load();
    await super.create(record);
    await this.#add(record.id);
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
    return this.#step(args[0], () => super.deliver(...args));
  }

  override decide(...args: Parameters<ApprovalStore['decide']>): Promise<Transition> {
    return this.#step(args[0], () => super.decide(...args));
  }

  override consume(...args: Parameters<ApprovalStore['consume']>): Promise<Transition> {
    return this.#step(args[0], () => super.consume(...args));
  }

  override finish(...args: Parameters<ApprovalStore['finish']>): Promise<Transition> {
    return this.#step(args[0], () => super.finish(...args));
  }

  override lose(...args: Parameters<ApprovalStore['lose']>): Promise<Transition> {
    return this.#step(args[0], () => super.lose(...args));
  }

  override close(...args: Parameters<ApprovalStore['close']>): Promise<Transition> {
    return this.#step(args[0], () => super.close(...args));
  }

  override replace(...args: Parameters<ApprovalStore['replace']>): Promise<Transition> {
    return this.#step(args[0], async () => {
      const replaced = await super.replace(...args);
      // First, so that a process that is killed here leaves the old question open rather than none.
      if (replaced.ok) await this.#add(replaced.record.id);
      return replaced;
    });
  }

  override async expire(now: number): Promise<readonly string[]> {
    await this.#load();
    const expired = await super.expire(now);
    for (const id of expired) await this.#save(id);
    return expired;
  }

  override async park(turn: ParkedTurn): Promise<void> {
    await this.#load();
    await super.park(turn);
    replace(join(this.#turns, nameOf(turn.conversation)), turn);
  }

  override async parked(conversation: string): Promise<ParkedTurn | undefined> {
    await this.#load();
    return super.parked(conversation);
  }

  override async parkedConversations(): Promise<readonly string[]> {
    await this.#load();
    return super.parkedConversations();
  }

  override async unpark(...which: Parameters<MemoryApprovalStore['unpark']>): Promise<void> {
    const [conversation] = which;
    await this.#load();
    await super.unpark(...which);
    if ((await super.parked(conversation)) === undefined)
      rmSync(join(this.#turns, nameOf(conversation)), { force: true });
  }

  async #step(id: string, change: () => Promise<Transition>): Promise<Transition> {
    await this.#load();
    const transition = await change();
    if (transition.ok) await this.#save(id);
    return transition;
  }

  async #add(id: string): Promise<void> {
    this.#files.set(id, `${String(this.#files.size).padStart(8, '0')}.json`);
    await this.#save(id);
  }

  async #save(id: string): Promise<void> {
    const [file, record] = [this.#files.get(id), await super.get(id)];
    if (file !== undefined && record !== undefined) replace(join(this.#records, file), record);
  }

  #load(): Promise<void> {
    this.#loaded ??= this.#read();
    return this.#loaded;
  }

  async #read(): Promise<void> {
    for (const file of jsonFiles(this.#records)) {
      const record = JSON.parse(readFileSync(join(this.#records, file), 'utf8')) as ApprovalRecord;
      await super.create(record);
      this.#files.set(record.id, file);
    }
    for (const file of jsonFiles(this.#turns)) {
      await super.park(JSON.parse(readFileSync(join(this.#turns, file), 'utf8')) as ParkedTurn);
    }
  }
}

function jsonFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
}

function replace(file: string, value: unknown): void {
  writeFileSync(`${file}.new`, JSON.stringify(value));
  renameSync(`${file}.new`, file);
}

function nameOf(id: string): string {
  return `${createHash('sha256').update(id).digest('hex')}.json`;
}
