/** What the page shows. */
export type Route =
  | { readonly view: 'chat'; readonly threadId?: string }
  | { readonly view: 'waiting' }
  | { readonly view: 'approval'; readonly id: string }
  | { readonly view: 'history' }
  | { readonly view: 'audit' };

/** The route in the fragment of an address; the chat for one that nobody knows. */
export function routeOf(fragment: string): Route {
  const [view = '', rest] = fragment.replace(/^#?\/?/, '').split('/', 2);
  const id = rest === undefined || rest === '' ? undefined : decoded(rest);
  if (view === 'approvals' && id !== undefined) return { view: 'approval', id };
  if (view === 'approvals') return { view: 'waiting' };
  if (view === 'history' || view === 'audit') return { view };
  return id === undefined || view !== 'chat' ? { view: 'chat' } : { view: 'chat', threadId: id };
}

/** The fragment of a route, for a link. */
export function fragmentOf(route: Route): string {
  switch (route.view) {
    case 'chat':
      return route.threadId === undefined ? '#/chat' : `#/chat/${encodeURIComponent(route.threadId)}`;
    case 'waiting':
      return '#/approvals';
    case 'approval':
      return `#/approvals/${encodeURIComponent(route.id)}`;
    case 'history':
    case 'audit':
      return `#/${route.view}`;
    default:
      return route satisfies never;
  }
}

/** The one-time code in the fragment of a login link. Routes begin with a slash, codes never. */
export function loginCode(fragment: string): string | undefined {
  return /^#(?<code>[\w-]{20,200})$/.exec(fragment)?.groups?.code;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
