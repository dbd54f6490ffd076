const HEADER = /^\s*\[\s*(?<name>[^\]]+?)\s*\]/;
const ENTRY = /^\s*(?:"(?<quoted>[^"]+)"|(?<bare>[\w.-]+))\s*=/;

/**
 * The line, from 1, where a key of a section stands in a TOML text; the line of the section where the key is not
 * found, and `undefined` where neither is. Knows the plain form `[section]` and `key = value`, which is enough to
 * point at a mistake.
 */
export function lineOf(toml: string, section: string, key?: string): number | undefined {
  const names = fullNames(toml);
  const exact = key === undefined ? undefined : names.indexOf(`${section}.${key}`);
  const index = exact === undefined || exact === -1 ? names.indexOf(section) : exact;
  return index === -1 ? undefined : index + 1;
}

/** What each line begins or sets, as `section` or `section.key`; an empty text for other lines. */
function fullNames(toml: string): readonly string[] {
  let section = '';
  return toml.split('\n').map((line) => {
    const header = HEADER.exec(line)?.groups?.name;
    if (header !== undefined) {
      section = header;
      return header;
    }
    const entry = ENTRY.exec(line)?.groups;
    const key = entry?.quoted ?? entry?.bare;
    if (key === undefined) return '';
    return section === '' ? key : `${section}.${key}`;
  });
}
