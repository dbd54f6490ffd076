import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** What Windows does not have counts as nothing there; `isLink` stands in for it. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** How a file of tau's own is opened; `create` wants one that is not there. */
type OpenHow = 'read' | 'append' | 'create';

const FLAGS: Readonly<Record<OpenHow, number>> = {
  read: constants.O_RDONLY,
  append: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
  create: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
};

/**
 * Opens a file that tau itself named, never through a symbolic link: a folder from somebody else may hold one that
 * leads to a file of the person's own.
 *
 * @returns The descriptor. New files are readable by this user only.
 * @throws The error of the system, `ELOOP` for a link.
 */
export function openOwnFile(path: string, how: OpenHow): number {
  if (isLink(path)) throw Object.assign(new Error(`ELOOP: ${path} is a symbolic link`), { code: 'ELOOP' });
  return openSync(path, FLAGS[how] | NO_FOLLOW, 0o600);
}

/** Replaces a file that tau itself named: a reader sees the old one or the new one, readable by this user only. */
export function replaceOwnFile(path: string, text: string): void {
  if (isLink(path)) throw Object.assign(new Error(`ELOOP: ${path} is a symbolic link`), { code: 'ELOOP' });
  const temporary = `${path}.${randomUUID()}.tmp`;
  const descriptor = openOwnFile(temporary, 'create');
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, path);
}

/** Reads a file that tau itself named, never through a symbolic link. */
export function readOwnFile(path: string): string {
  const descriptor = openOwnFile(path, 'read');
  try {
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Who else may not have had a hand in a file, as mode bits. */
export const WRITABLE_BY_OTHERS = 0o022;
export const OPEN_TO_OTHERS = 0o077;

/**
 * Reads a file that only this user can have written: one of somebody else's, or one that others may touch, says nothing.
 *
 * @param forbidden - Mode bits that it must not have.
 * @throws The error of the system; with code `EPERM` for a file that is not to be trusted.
 */
export function readTrustedFile(path: string, forbidden: number): string {
  const descriptor = openOwnFile(path, 'read');
  try {
    const { uid, mode } = fstatSync(descriptor);
    // Windows has neither.
    const me = process.getuid?.();
    if (me !== undefined && (uid !== me || (mode & forbidden) !== 0)) {
      throw Object.assign(new Error(`EPERM: ${path} does not belong to this user alone`), { code: 'EPERM' });
    }
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Whether a path is a symbolic link, also one that leads nowhere. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
