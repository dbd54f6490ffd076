/**
 * What to type for this program: through npx, or as `npm start` of a clone, there is no command `tau`, and the package of
 * that name is somebody else's.
 */
export function programName(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return env.npm_command === 'exec' || env.npm_command === 'start' ? 'npx strands-tau' : 'tau';
}
