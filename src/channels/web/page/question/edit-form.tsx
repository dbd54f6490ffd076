import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JSONValue } from '../../../../core/json.ts';
import { visible } from '../parts/visible.ts';
import { useWords } from '../state/page-context.ts';
import { problemOf } from '../told/refusal.ts';
import type { Words } from '../words/words.ts';
import { type Edited, editableJson, readEdited } from './edited.ts';

interface EditProps {
  readonly tool: string;
  readonly before: JSONValue;
  readonly busy: boolean;
  readonly unfit: string | undefined;
  readonly onApprove: (value: JSONValue) => void;
  readonly onCancel: () => void;
}

/** An editor for the arguments. What was typed is read when it is sent; until then nobody is told that it is wrong. */
export function EditForm({ tool, before, busy, unfit, onApprove, onCancel }: EditProps): JSX.Element {
  const words = useWords();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => editableJson(before));
  const [checked, setChecked] = useState<Edited>();
  // Before the next key: what is typed right after the press belongs here.
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const submit = (event: Event): void => {
    event.preventDefault();
    const edited = readEdited(text, before);
    setChecked(edited);
    if (edited.type === 'ok') onApprove(edited.value);
    else field.current?.focus();
  };
  const problem = problemText(checked, unfit === undefined ? undefined : (problemOf(tool, unfit) ?? unfit), words);
  return (
    <form class="decide-form" ref={form} onSubmit={submit}>
      <label for={id}>{words.t('question.edited')}</label>
      <p class="hint">{words.t('question.edit_more')}</p>
      <textarea
        id={id}
        ref={field}
        class="code"
        rows={Math.min(12, text.split('\n').length + 1)}
        dir="ltr"
        spellcheck={false}
        autocomplete="off"
        value={text}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChecked(undefined);
        }}
      />
      <p class="problem" id={`${id}-problem`} role="alert">
        {problem}
      </p>
      <div class="decide-buttons">
        <button type="submit" class="approve" disabled={busy}>
          {words.t(busy ? 'question.sending' : 'question.edit_now')}
        </button>
        <button type="button" class="quiet" onClick={onCancel}>
          {words.t('question.edit_back')}
        </button>
      </div>
    </form>
  );
}

function problemText(checked: Edited | undefined, unfit: string | undefined, { t }: Words): string | undefined {
  if (checked?.type === 'unchanged') return t('question.edit_same');
  if (checked?.type === 'invalid') {
    const { line, column } = checked;
    return line === undefined || column === undefined
      ? t('question.edit_bad')
      : t('question.edit_bad_at', { line, column });
  }
  return unfit === undefined ? undefined : t('question.edit_unfit', { problem: visible(unfit) });
}
