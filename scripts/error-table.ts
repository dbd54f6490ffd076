// Writes the table of error codes into the reference of the bridge: `node scripts/error-table.ts`.
import { readFileSync, writeFileSync } from 'node:fs';
import codes from '../src/ag-ui/error-codes.json' with { type: 'json' };
import { root } from './entries.ts';

const page = `${root}docs/guide/ag-ui-reference.md`;
const begin = '<!-- error codes: written by scripts/error-table.ts -->';
const end = '<!-- end of error codes -->';

/** What the reference of the bridge says, and what it has to say. */
export function referencePage(): { readonly text: string; readonly expected: string } {
  const text = readFileSync(page, 'utf8');
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from === -1 || to < from) throw new Error(`${page} has no place for the table of error codes`);
  return { text, expected: `${text.slice(0, from)}${begin}\n\n${table()}\n\n${text.slice(to)}` };
}

function table(): string {
  const rows = Object.entries(codes).map(([code, { message, when, client }]) => {
    const shown = message === '{}' ? 'says what' : `\`${message}\``;
    return `| \`${code}\` | ${cell(when)} | ${cell(client)} | ${cell(shown)} |`;
  });
  return ['| code | when | what the client can do | message |', '|---|---|---|---|', ...rows].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (import.meta.main) writeFileSync(page, referencePage().expected);
