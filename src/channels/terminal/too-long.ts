import type { ApprovalRequest } from '../../core/call.ts';
import type { Language } from '../../core/i18n.ts';
import { questionRows, type Row } from './question-rows.ts';

/** Characters of a question, as shown, that a person is asked to read at most: some 3,400 lines of 80 columns. */
const MAX_SHOWN = 256_000;

const TOO_LONG: Readonly<Record<Language, string>> = {
  en: 'Not asked, so not approved: this call of {tool} is too long to show (more than {limit} characters).',
  tr: 'Sorulmadı, yani onaylanmadı: bu {tool} çağrısı gösterilemeyecek kadar uzun ({limit} karakterden fazla).',
};

/**
 * Everything that a person must see to decide, or `undefined` when that is more than anybody reads: laying it out
 * would keep the process from everything else, and a part of it must not be approved for the whole.
 */
export function rowsWithinLimit(request: ApprovalRequest, language: Language): readonly Row[] | undefined {
  // What is shown is never shorter than this; it is looked at first, because it is much faster to make.
  const least = JSON.stringify(request.arguments).length + request.effect.length + request.tool.length;
  if (least > MAX_SHOWN) return undefined;
  const rows = questionRows(request, language);
  const shown = rows.reduce((sum, row) => sum + (row.type === 'heading' ? 0 : row.text.length), 0);
  return shown > MAX_SHOWN ? undefined : rows;
}

/** Says that a question is not asked; `tool` is escaped. */
export function tooLongText(tool: string, language: Language): string {
  const shown = tool.length > 80 ? `${tool.slice(0, 79).toWellFormed()}…` : tool;
  const limit = MAX_SHOWN.toLocaleString(language);
  return `${TOO_LONG[language].replace('{limit}', () => limit).replace('{tool}', () => shown)}\n`;
}
