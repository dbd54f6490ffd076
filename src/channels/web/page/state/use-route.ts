import { useLayoutEffect, useState } from 'preact/hooks';
import { noteRoute } from './came-from.ts';
import { fragmentOf, loginCode, type Route, routeOf } from './route.ts';

/** The route that the address names. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  // With the first drawing: what changes before the effects that wait for the screen would go unheard.
  useLayoutEffect(() => {
    const changed = (): void => {
      // Whoever is signed in needs no code; it must not stay in the address.
      if (loginCode(location.hash) !== undefined) renameTo({ view: 'chat' });
      else setRoute(routeOf(location.hash));
    };
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  noteRoute(route);
  return route;
}

/** Goes to a route. */
export function goTo(route: Route): void {
  location.hash = fragmentOf(route);
}

/** Names the route of what is shown already, without a step in the browser's history. */
export function renameTo(route: Route): void {
  history.replaceState(null, '', `/${fragmentOf(route)}`);
  dispatchEvent(new HashChangeEvent('hashchange'));
}
