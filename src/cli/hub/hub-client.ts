import { z } from 'zod';
import { TauError } from '../../core/errors.ts';
import type { CommandContext } from '../command.ts';
import type { Setting } from '../setting.ts';
import { type HubPlace, hubPlace } from './hub-place.ts';

const problem = z.object({
  error: z.object({ code: z.string(), message: z.string() }),
  approval: z.unknown().optional(),
});

/** What can be wrong with the store of a hub, each with a text of the command line's own. */
const STORE_TROUBLES = [
  'store_locked',
  'store_full',
  'store_readonly',
  'store_corrupt',
  'store_replaced',
  'store_closed',
  'store_failed',
] as const;

/** What the hub answered. */
export interface HubAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The hub refused. Its code is the hub's own. */
export class HubRefusal extends TauError {
  readonly status: number;
  /** The record that a refused answer came too late for. */
  readonly approval: unknown;

  constructor(status: number, code: string, message: string, approval: unknown) {
    super(code, message);
    this.status = status;
    this.approval = approval;
  }
}

/** Speaks to the hub of this data folder, or of `--url`. The token is sent only once it was made sure that it is the one. */
export class HubClient {
  readonly #place: HubPlace;
  readonly #setting: Setting;
  #proven: Promise<void> | undefined;

  /** @throws TauError when none runs, or there is no token for it; UsageError for an address that cannot be one. */
  constructor(context: CommandContext, setting: Setting) {
    this.#place = hubPlace(context, setting);
    this.#setting = setting;
  }

  /**
   * Reads something.
   *
   * @throws HubRefusal, or TauError when the hub does not answer.
   */
  async get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return this.#checked(await this.#send(path, {}), schema);
  }

  /** Asks for something to be done; throws as `get` does. */
  async post<T>(path: string, body: unknown, schema: z.ZodType<T>): Promise<T> {
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
    return this.#checked(await this.#send(path, init), schema);
  }

  #checked<T>({ status, body }: HubAnswer, schema: z.ZodType<T>): T {
    const parsed = schema.safeParse(body);
    if (status < 300 && parsed.success) return parsed.data;
    const refused = problem.safeParse(body);
    if (status >= 300 && refused.success) {
      const { error, approval } = refused.data;
      throw new HubRefusal(status, error.code, this.#refusalText(error), approval);
    }
    throw new TauError('hub', this.#setting.say('hub.strange_answer', { url: this.#place.url, status }));
  }

  /** What the hub says is for a program; what a person can do about it is said here. */
  #refusalText({ code, message }: { readonly code: string; readonly message: string }): string {
    const { say } = this.#setting;
    if (code === 'unauthorized') return say('hub.unauthorized', { url: this.#place.url });
    const trouble = STORE_TROUBLES.find((known) => known === code);
    return trouble === undefined ? message : say(`hub.${trouble}`);
  }

  async #send(path: string, init: RequestInit): Promise<HubAnswer> {
    this.#proven ??= this.#place.prove();
    await this.#proven;
    const { url, token } = this.#place;
    const headers = { ...init.headers, Authorization: `Bearer ${token}`, 'X-Tau-Client': 'cli' };
    try {
      const response = await fetch(`${url}${path}`, { ...init, headers, redirect: 'error' });
      return { status: response.status, body: await response.json().catch(() => undefined) };
    } catch (error) {
      throw new TauError('no_hub', this.#setting.say('hub.no_answer_at', { url }), { cause: error });
    }
  }
}
