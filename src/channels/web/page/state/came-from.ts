import type { Route } from './route.ts';

let before: Route | undefined;
let current: Route | undefined;

/** Notes where the person is; what they saw before that is `cameFrom`. */
export function noteRoute(route: Route): void {
  if (JSON.stringify(route) === JSON.stringify(current)) return;
  // One question after another is still the same errand.
  if (current?.view !== 'approval') before = current;
  current = route;
}

/** The last place that was no question, for the way back. */
export function cameFrom(): Route | undefined {
  return before;
}

/** Somebody else is here now: where the one before was is not for them. */
export function forgetRoutes(): void {
  before = undefined;
  current = undefined;
}
