import type { Interrupt } from '@copilotkit/react-core/v2';
import type { ReactElement } from 'react';
import { escapeText } from 'strands-tau';

/** A question that this page cannot show completely. What cannot be shown cannot be approved. */
export function UnknownCard(props: { readonly interrupt: Interrupt; readonly onCancel: () => void }): ReactElement {
  return (
    <article className="card">
      <header className="card-head">
        <h2>A question that this page does not know</h2>
      </header>
      <p className="card-text">{escapeText(props.interrupt.message ?? props.interrupt.reason)}</p>
      <div className="card-buttons">
        <button type="button" className="button reject" onClick={props.onCancel}>
          Cancel it
        </button>
      </div>
    </article>
  );
}
