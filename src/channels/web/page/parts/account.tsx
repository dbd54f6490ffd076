import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { usePage } from '../state/page-context.ts';
import { anythingShape } from '../wire/shapes.ts';
import { shortened } from './visible.ts';

/** Who is signed in, with the ways out: of this browser, or of every one. */
export function Account(): JSX.Element {
  const { hub, me, words } = usePage();
  const menu = useRef<HTMLDetailsElement>(null);
  useClosing(menu);
  const leave = (body: { readonly everywhere?: true }): void => {
    void hub.post('/logout', body, anythingShape).then(() => hub.onSignedOut());
  };
  return (
    <details class="account" ref={menu}>
      <summary>
        <span class="unseen">{words.t('page.account')}: </span>
        <span>{shortened(me.principal.id, 24)}</span>
      </summary>
      <div class="account-menu">
        <button type="button" class="quiet" onClick={() => leave({})}>
          {words.t('page.sign_out')}
        </button>
        <button type="button" class="quiet" onClick={() => leave({ everywhere: true })}>
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
