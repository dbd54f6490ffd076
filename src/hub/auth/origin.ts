import { ConfigError } from '../../core/errors.ts';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** The names under which a hub may be spoken to, and the origins that its page can have. */
export class OwnAddresses {
  readonly #names: ReadonlySet<string>;
  readonly #publicOrigin: string | undefined;
  /** Whether the page is reached over HTTPS. */
  readonly isHttps: boolean;
  /** Where people open the page; `undefined` when it is where the hub listens. */
  readonly publicUrl: string | undefined;

  /**
   * @param hosts - Names beside the loopback ones, such as `hub.local`, with or without a port.
   * @throws ConfigError when an address cannot be read.
   */
  constructor({ hosts = [], publicUrl }: { readonly hosts?: readonly string[]; readonly publicUrl?: string }) {
    const url = publicUrl === undefined ? undefined : readUrl(publicUrl);
    this.publicUrl = url === undefined ? undefined : `${url.origin}${url.pathname.replace(/\/$/, '')}`;
    this.#publicOrigin = url?.origin;
    this.isHttps = url?.protocol === 'https:';
    const names = [...LOOPBACK, ...hosts.map(readHost), ...(url === undefined ? [] : [url.hostname])];
    this.#names = new Set(names.map((name) => name.toLowerCase()));
  }

  /**
   * Whether a request was meant for this hub. A page of somebody else whose name was rebound to this machine sends its
   * own name here.
   */
  isOwnHost(request: Request): boolean {
    const name = nameOf(hostOf(request));
    return name !== undefined && this.#names.has(name);
  }

  /** The port that a request was sent to; `undefined` for the usual one. */
  portOf(request: Request): string | undefined {
    return /:(?<port>\d{1,5})$/.exec(hostOf(request))?.groups?.port;
  }

  /** Whether a page of this hub sent the request, as far as a browser says so; nobody else can send a matching header. */
  isOwnOrigin(request: Request): boolean {
    const { headers } = request;
    const origin = headers.get('origin');
    const site = headers.get('sec-fetch-site');
    if (origin === null || (site !== null && site !== 'same-origin')) return false;
    return origin === this.#publicOrigin || origin === `http://${hostOf(request).toLowerCase()}`;
  }
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.username !== '' || url.password !== '')) {
    throw new ConfigError('The public URL holds a user name or a password; it is shown to people, so take that out');
  }
  if (url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:') && url.pathname === '/') return url;
  // What stands before an @ may be a password.
  throw new ConfigError(
    `The public URL ${text.includes('@') ? '"…"' : JSON.stringify(text)} is no address such as "https://tau.example.com"`,
  );
}

function readHost(text: string): string {
  const name = nameOf(text);
  if (name !== undefined) return name;
  throw new ConfigError(`The host ${JSON.stringify(text)} is no name such as "hub.local"`);
}

function hostOf({ headers, url }: Request): string {
  return headers.get('host') ?? new URL(url).host;
}

/** The name in a `Host` header, without its port. */
function nameOf(host: string): string | undefined {
  const match = /^(?<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host);
  return match?.groups?.name?.toLowerCase();
}
