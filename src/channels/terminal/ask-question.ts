import type { ApprovalRequest } from '../../core/call.ts';
import { escapeText } from '../../core/escape.ts';
import { type Language, message } from '../../core/i18n.ts';
import { displayWidth } from './display-width.ts';
import { type Line, layOut } from './layout.ts';
import { type Page, pageAt, startAt } from './pager.ts';
import type { Row } from './question-rows.ts';
import type { QuestionScreen, Reply } from './question-screen.ts';
import { rowsWithinLimit, tooLongText } from './too-long.ts';
import { readReason, readWord } from './words.ts';

/** Lines that a page needs besides its own: a blank one, the frame above and the frame below. */
const FRAME = 3;

/** Room for what the person types behind the prompt. */
const ANSWER = 6;

interface Question {
  readonly screen: QuestionScreen;
  readonly rows: readonly Row[];
  /** The rows as they were last fitted to a screen. */
  fitted: { readonly columns: number; readonly lines: readonly Line[] };
  readonly title: string;
  readonly tool: string;
  readonly language: Language;
}

interface View {
  readonly page: Page;
  readonly next: Line | undefined;
  readonly text: string;
  readonly prompt: string;
}

/** What a reply means: a decision, or which page is shown now. */
type Step = 'approved' | 'rejected' | 'next page' | 'same page' | 'not yet';

/** What is asked, and how. */
export interface Asking {
  readonly request: ApprovalRequest;
  readonly language: Language;
  readonly signal: AbortSignal;
  /** Called when all of the question has been shown, before the answer is read. */
  readonly onShown?: () => void;
}

/** What the person said. */
export interface TypedAnswer {
  readonly decision: 'approved' | 'rejected';
  readonly reason?: string;
}

/**
 * Shows a question page by page and reads the answer behind the last one. On the pages before it, Enter goes on, a
 * yes is not counted and the page is shown again, anything else rejects. What is too long to be read is rejected
 * without a question.
 *
 * @returns The answer, or `undefined` when the signal fired.
 */
export async function askQuestion(screen: QuestionScreen, asking: Asking): Promise<TypedAnswer | undefined> {
  const { request, language, signal } = asking;
  const rows = rowsWithinLimit(request, language);
  if (rows === undefined) return rejectUnasked(screen, tooLongText(escapeText(request.tool), language), signal);
  const question: Question = {
    screen,
    rows,
    fitted: { columns: 0, lines: [] },
    title: message(language, 'approval.title'),
    tool: escapeText(request.tool),
    language,
  };
  let place: Line | undefined;
  let step: Step = 'same page';
  for (;;) {
    const view = viewFrom(question, place);
    const reply = await showView(question, view, { place, step }, asking);
    if (reply.type === 'abort') return undefined;
    step = stepOf(reply, view.page);
    if (step === 'approved' || step === 'rejected') return answerOf(step, reply);
    if (step === 'next page') place = view.next;
  }
}

/** Shows one page and reads the line behind it. */
function showView(
  question: Question,
  { text, prompt, page }: View,
  { place, step }: { readonly place: Line | undefined; readonly step: Step },
  { language, signal, onShown }: Asking,
): Promise<Reply> {
  const hint = step === 'not yet' ? `${message(language, 'approval.not_yet')}\n` : '';
  return question.screen.ask({
    text: text + hint,
    prompt,
    signal,
    stale: () => viewFrom(question, place).text !== text,
    onShown: page.last ? onShown : undefined,
  });
}

/** Says why there is no question. A pipe's line for it is taken all the same: it must not answer the next question. */
async function rejectUnasked(
  screen: QuestionScreen,
  text: string,
  signal: AbortSignal,
): Promise<TypedAnswer | undefined> {
  if (screen.paged) {
    screen.print(text);
    return { decision: 'rejected' };
  }
  const reply = await screen.ask({ text, prompt: '', signal, stale: () => false });
  return reply.type === 'abort' ? undefined : { decision: 'rejected' };
}

function answerOf(decision: TypedAnswer['decision'], reply: Reply): TypedAnswer {
  const reason = reply.type === 'line' ? readReason(reply.text) : undefined;
  return reason === undefined ? { decision } : { decision, reason };
}

function stepOf(reply: Exclude<Reply, { type: 'abort' }>, page: Page): Step {
  switch (reply.type) {
    case 'end':
    case 'interrupt':
      return 'rejected';
    case 'stale':
      return 'same page';
    case 'line': {
      const word = readWord(reply.text);
      if (page.last) return word === 'yes' ? 'approved' : 'rejected';
      if (word === 'yes') return 'not yet';
      return word === 'nothing' ? 'next page' : 'rejected';
    }
    default:
      return reply satisfies never;
  }
}

/** What the screen, as large as it is now, shows from a place in the question on. */
function viewFrom(question: Question, place: Line | undefined): View {
  const { columns, rows } = question.screen.size;
  if (question.fitted.columns !== columns) question.fitted = { columns, lines: layOut(question.rows, columns) };
  const { lines } = question.fitted;
  const height = question.screen.paged ? pageHeight(question, columns, rows) : Number.POSITIVE_INFINITY;
  const page = pageAt(lines, startAt(lines, place), height);
  return {
    page,
    next: lines[page.next],
    text: `\n${pageText(question, page, columns - 1)}`,
    prompt: `${question.screen.style('bold', promptText(question, page, columns))} `,
  };
}

function pageHeight(question: Question, columns: number, rows: number): number {
  const longest = promptText(question, { last: false, number: 999, pages: 999 }, columns);
  const promptRows = Math.ceil((displayWidth(longest) + ANSWER) / columns);
  return Math.max(1, rows - FRAME - promptRows);
}

function promptText({ language }: Question, page: Pick<Page, 'last' | 'number' | 'pages'>, columns: number): string {
  if (page.last) return message(language, 'approval.question');
  const values = { page: page.number, pages: page.pages };
  const text = message(language, 'approval.page', values);
  return displayWidth(text) + ANSWER < columns ? text : message(language, 'approval.page_narrow', values);
}

function pageText(question: Question, page: Page, width: number): string {
  const { style } = question.screen;
  const lines = page.lines.map(({ mark, text }) => `${style('dim', mark)}${text}`);
  const below = page.last ? [style('dim', '━'.repeat(width))] : [];
  return [rule(question, page, width), ...lines, ...below, ''].join('\n');
}

/** The line above a page, with as much of title, tool and page number as it has room for. */
function rule({ screen, title, tool }: Question, page: Page, width: number): string {
  const position = `${page.number}/${page.pages}`;
  const titles = page.pages === 1 ? [title] : [`${title} · ${tool} · ${position}`, `${title} · ${position}`, position];
  const fitting = titles.find((text) => displayWidth(text) + 6 <= width) ?? '';
  const rest = Math.max(0, width - displayWidth(fitting) - 4);
  return `${screen.style('dim', '━━')} ${screen.style('bold', fitting)} ${screen.style('dim', '━'.repeat(rest))}`;
}
