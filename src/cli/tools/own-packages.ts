import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const SELF = 'strands-tau';
const SOURCE_ENDING = '.ts';

/** Packages that a user's module may expect to find, and that tau brings along. */
const BROUGHT_ALONG = /^(?:@strands-agents\/sdk|zod)(?:\/|$)/;

/**
 * Makes the modules of a user import the very copy of tau that is running, and of the Strands SDK: guards of another
 * copy would be strangers to the gate, and hooks of another SDK are silently dead. So a folder with nothing but a
 * `tau.toml` and a `tools.ts` works without an installation. `zod` comes from the user's folder where it is there.
 *
 * @returns Undoes it.
 */
export function shareOwnPackages(): () => void {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const own = { ...context, parentURL: import.meta.url };
      if (specifier === SELF || specifier.startsWith(`${SELF}/`)) return nextResolve(ownName(specifier), own);
      if (!BROUGHT_ALONG.test(specifier)) return nextResolve(specifier, context);
      if (!specifier.startsWith('zod')) return nextResolve(specifier, own);
      try {
        return nextResolve(specifier, context);
      } catch {
        return nextResolve(specifier, own);
      }
    },
  });
  return () => hooks.deregister();
}

/** What a public name of tau is called from here: a file among the sources; in the build, the name itself. */
function ownName(specifier: string): string {
  if (!fileURLToPath(import.meta.url).endsWith(SOURCE_ENDING)) return specifier;
  const path = specifier === SELF ? 'index.ts' : `${specifier.slice(SELF.length + 1)}/index.ts`;
  return new URL(`../../${path}`, import.meta.url).href;
}
