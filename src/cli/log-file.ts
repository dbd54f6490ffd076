import { writeSync } from 'node:fs';

/** Where lines of a log go; pino writes to anything of this shape. */
export interface LineSink {
  write(line: string): void;
}

/**
 * Writes lines to an open file, each before what it tells about goes on. A line that the file does not take is lost: a
 * full disk is no reason for a hub to die of saying so. The first of the lost lines is told, and again the first after
 * one that was written.
 *
 * @param lost - Is told why; what it throws is lost too.
 */
export function lineFile(descriptor: number, lost: (problem: unknown) => void): LineSink {
  let isLosing = false;
  let isTorn = false;
  return {
    write(line) {
      // The rest of a line of which only a part had room would otherwise spoil the next one.
      const bytes = Buffer.from(isTorn ? `\n${line}` : line);
      let done = 0;
      try {
        while (done < bytes.length) done += writeSync(descriptor, bytes, done);
        [isTorn, isLosing] = [false, false];
      } catch (problem) {
        isTorn ||= done > 0;
        if (!isLosing) quietly(() => lost(problem));
        isLosing = true;
      }
    },
  };
}

/** Does something that must not fail whoever asked for it. */
export function quietly(act: () => void): void {
  try {
    act();
  } catch {}
}
