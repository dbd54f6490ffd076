import ts from 'typescript';

/** A title of a test or a describe block that names requirements. */
export interface Citation {
  readonly id: string;
  readonly title: string;
}

/**
 * The requirement ids that a test file cites, `[G4]` or `[G4, S16]` in the title of a `test`, `it` or `describe`.
 * Blocks that never run (`.skip`, `.todo`) cite nothing.
 */
export function citations(fileName: string, text: string): readonly Citation[] {
  const found: Citation[] = [];
  const visit = (node: ts.Node): void => {
    const title = ts.isCallExpression(node) ? titleOf(node) : undefined;
    if (title === 'skipped') return;
    if (title !== undefined) found.push(...idsIn(title.text).map((id) => ({ id, title: title.text })));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest));
  return found;
}

function idsIn(title: string): readonly string[] {
  const groups = title.matchAll(/\[([A-Z]\d+(?:\.\d+)?(?:\s*,\s*[A-Z]\d+(?:\.\d+)?)*)\]/g);
  return [...groups].flatMap(([, ids = '']) => ids.split(',').map((id) => id.trim()));
}

function titleOf(call: ts.CallExpression): { readonly text: string } | 'skipped' | undefined {
  const names = calledNames(call.expression);
  if (!['test', 'it', 'describe'].includes(names[0] ?? '')) return undefined;
  if (names.includes('skip') || names.includes('todo')) return 'skipped';
  const [first] = call.arguments;
  if (first === undefined) return undefined;
  if (ts.isStringLiteralLike(first)) return { text: first.text };
  return ts.isTemplateExpression(first) ? { text: first.head.text } : undefined;
}

/** `it.each(rows)` in `it.each(rows)('title', …)` becomes `['it', 'each']`. */
function calledNames(expression: ts.Expression): readonly string[] {
  if (ts.isIdentifier(expression)) return [expression.text];
  if (ts.isPropertyAccessExpression(expression)) return [...calledNames(expression.expression), expression.name.text];
  if (ts.isCallExpression(expression)) return calledNames(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return calledNames(expression.tag);
  return [];
}
