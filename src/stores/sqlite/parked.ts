import type { ParkedTurn } from '../../core/approval-store.ts';
import { sealJson } from '../../core/json.ts';
import { parsed } from '../shared/codecs.ts';
import { keyOf, textOf } from '../shared/key.ts';
import { fields, json, number, text } from '../shared/shape.ts';
import type { Connection } from './connection.ts';

const turnShape = fields<ParkedTurn>({ conversation: text, run: text, at: number, state: json });

/** The calls that conversations are parked on. */
export class ParkedTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async put(turn: ParkedTurn): Promise<void> {
    const written = JSON.stringify({ ...turn, state: sealJson(turn.state) });
    const sql = 'INSERT OR REPLACE INTO parked (conversation, turn) VALUES (?, ?)';
    await this.#connection.write(() => this.#connection.run(sql, keyOf(turn.conversation), written));
  }

  get(conversation: string): Promise<ParkedTurn | undefined> {
    return this.#connection.read(() => {
      const row = this.#connection.get('SELECT turn FROM parked WHERE conversation = ?', keyOf(conversation));
      if (row === undefined) return undefined;
      const turn = parsed(this.#connection.text(row, 'turn'));
      if (turnShape(turn) && turn.conversation === conversation) {
        return Object.freeze({ ...turn, state: sealJson(turn.state) });
      }
      throw this.#connection.damaged(`the parked turn of conversation '${conversation}' cannot be read`);
    });
  }

  /** All conversations that are parked. */
  conversations(): readonly string[] {
    return this.#connection.all('SELECT conversation FROM parked').map((row) => {
      const conversation = textOf(this.#connection.text(row, 'conversation'));
      if (conversation === undefined)
        throw this.#connection.damaged('the name of a parked conversation cannot be read');
      return conversation;
    });
  }

  async remove(conversation: string, turn?: Pick<ParkedTurn, 'run' | 'at'>): Promise<void> {
    const sql = 'DELETE FROM parked WHERE conversation = ?';
    await this.#connection.write(() => {
      if (turn === undefined || this.#isOf(turn, conversation)) this.#connection.run(sql, keyOf(conversation));
    });
  }

  #isOf({ run, at }: Pick<ParkedTurn, 'run' | 'at'>, conversation: string): boolean {
    const row = this.#connection.get('SELECT turn FROM parked WHERE conversation = ?', keyOf(conversation));
    const turn = row === undefined ? undefined : parsed(this.#connection.text(row, 'turn'));
    return turnShape(turn) && turn.run === run && turn.at === at;
  }
}
