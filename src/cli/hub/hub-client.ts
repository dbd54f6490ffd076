import { z } from 'zod';
import { TauError } from '../../core/errors.ts';
import type { CommandContext } from '../command.ts';
import type { Setting } from '../setting.ts';
import { type HubAddress, readHubAddress, readLocalToken } from './hub-files.ts';
import { proveHub } from './prove-hub.ts';

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

/** Speaks to the hub that runs for this data folder. The token is sent only once the hub has proved that it is the one. */
export class HubClient {
  readonly #address: HubAddress;
  readonly #token: string;
  readonly #setting: Setting;
  #proven: Promise<void> | undefined;

  /** @throws TauError when none runs, or there is no token for it. */
  constructor({ io }: CommandContext, setting: Setting) {
    const { say } = setting;
    const address = readHubAddress(setting);
    if (address === undefined) throw new TauError('no_hub', say('hub.not_running', { path: setting.dataDir }));
    const token = io.env.TAU_TOKEN || readLocalToken(setting);
    if (token === undefined) throw new TauError('no_token', say('hub.no_token', { path: setting.dataDir }));
    this.#address = address;
    this.#token = token;
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
      const trouble = STORE_TROUBLES.find((known) => known === error.code);
      const message = trouble === undefined ? error.message : this.#setting.say(`hub.${trouble}`);
      throw new HubRefusal(status, error.code, message, approval);
    }
    throw new TauError('hub', this.#setting.say('hub.strange_answer', { url: this.#address.url, status }));
  }

  async #send(path: string, init: RequestInit): Promise<HubAnswer> {
    this.#proven ??= proveHub(this.#address, this.#setting);
    await this.#proven;
    const headers = { ...init.headers, Authorization: `Bearer ${this.#token}`, 'X-Tau-Client': 'cli' };
    try {
      const response = await fetch(`${this.#address.url}${path}`, { ...init, headers, redirect: 'error' });
      return { status: response.status, body: await response.json().catch(() => undefined) };
    } catch (error) {
      throw new TauError('no_hub', this.#setting.say('hub.no_answer', { url: this.#address.url }), { cause: error });
    }
  }
}
