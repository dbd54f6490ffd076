const HEADER = /^\s*(?<open>\[{1,2})\s*(?<name>[^\]]+?)\s*\]/;
const ENTRY = /^\s*(?:"(?<quoted>[^"]+)"|(?<bare>[\w.-]+))\s*=/;

/**
 * The line, from 1, where a key of a section stands in a TOML text; the line of the section where the key is not
 * found, and `undefined` where neither is. Knows the plain forms `[section]`, `[[section]]` and `key = value`, which is
 * enough to point at a mistake.
 *
 * @param row - Which of several `[[section]]`, from 0.
 */
export function lineOf(toml: string, table: string, key?: string, row?: number): number | undefined {
  const names = fullNames(toml);
  const section = row === undefined ? table : `${table}#${row}`;
  const exact = key === undefined ? undefined : names.indexOf(`${section}.${key}`);
  const index = exact === undefined || exact === -1 ? names.indexOf(section) : exact;
  return index === -1 ? undefined : index + 1;
}

/** What each line begins or sets, as `section`, `section#row` or with `.key`; an empty text for other lines. */
function fullNames(toml: string): readonly string[] {
  let section = '';
  const rows = new Map<string, number>();
  return toml.split('\n').map((line) => {
    const header = HEADER.exec(line)?.groups;
    if (header?.name !== undefined) {
      section = header.open === '[[' ? `${header.name}#${nextRow(rows, header.name)}` : header.name;
      return section;
    }
    const entry = ENTRY.exec(line)?.groups;
    const key = entry?.quoted ?? entry?.bare;
    if (key === undefined) return '';
    return section === '' ? key : `${section}.${key}`;
  });
}

function nextRow(rows: Map<string, number>, name: string): number {
  const row = rows.get(name) ?? 0;
  rows.set(name, row + 1);
  return row;
}
