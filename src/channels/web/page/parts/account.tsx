import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { tellOtherTabs } from '../state/other-tabs.ts';
import { usePage } from '../state/page-context.ts';
import { anythingShape } from '../wire/shapes.ts';
import { shortened } from './visible.ts';

/** Who is signed in, with the ways out: of this browser, or of every one. Nobody is told that they are out who is not. */
export function Account(): JSX.Element {
  const { hub, me, words } = usePage();
  const menu = useRef<HTMLDetailsElement>(null);
  useClosing(menu);
  const [state, setState] = useState<'none' | 'busy' | 'failed'>('none');
  const leave = async (body: { readonly everywhere?: true }): Promise<void> => {
    setState('busy');
    const reply = await hub.post('/logout', body, anythingShape);
    // Of a session that is over or somebody else's the hub's answer has told already.
    setState(reply.ok ? 'none' : 'failed');
    if (!reply.ok) return;
    tellOtherTabs();
    hub.onSignedOut();
  };
  const busy = state === 'busy';
  return (
    <details class="account" ref={menu}>
      <summary>
        <span class="unseen">{words.t('page.account')}: </span>
        <span>{shortened(me.principal.id, 24)}</span>
      </summary>
      <div class="account-menu">
        {state === 'failed' ? (
          <p class="note note-bad" role="alert">
            {words.t('page.sign_out_failed')}
          </p>
        ) : null}
        <button type="button" class="quiet" disabled={busy} onClick={() => void leave({})}>
          {words.t('page.sign_out')}
        </button>
        <button type="button" class="quiet" disabled={busy} onClick={() => void leave({ everywhere: true })}>
          {words.t('page.sign_out_everywhere')}
        </button>
      </div>
    </details>
  );
}

/** A menu closes when somebody presses Escape or goes on elsewhere. */
function useClosing(menu: { readonly current: HTMLDetailsElement | null }): void {
  useEffect(() => {
    const goneOn = ({ target }: Event): void => {
      const { current } = menu;
      if (current !== null && !(target instanceof Node && current.contains(target))) current.open = false;
    };
    const pressed = ({ key }: KeyboardEvent): void => {
      const { current } = menu;
      if (key !== 'Escape' || current?.open !== true) return;
      current.open = false;
      current.querySelector('summary')?.focus();
    };
    document.addEventListener('pointerdown', goneOn);
    document.addEventListener('focusin', goneOn);
    document.addEventListener('keydown', pressed);
    return () => {
      document.removeEventListener('pointerdown', goneOn);
      document.removeEventListener('focusin', goneOn);
      document.removeEventListener('keydown', pressed);
    };
  }, [menu]);
}
