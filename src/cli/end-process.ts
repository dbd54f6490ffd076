/**
 * Ends the process once what was printed is out: a tool that did not stop must not work on where nobody knows of it any
 * more, nor keep what the process holds.
 */
export function endProcess(exitCode: number): void {
  process.exitCode = exitCode;
  process.stdout.write('', () => process.stderr.write('', () => process.exit()));
}
