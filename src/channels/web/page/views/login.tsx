import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Language } from '../../../../core/i18n.ts';
import { Brand } from '../parts/brand.tsx';
import { LanguageChoice } from '../parts/language-choice.tsx';
import { loginCode } from '../state/route.ts';
import { renameTo } from '../state/use-route.ts';
import type { HubClient } from '../wire/hub-client.ts';
import { anythingShape } from '../wire/shapes.ts';
import type { WordKey } from '../words/en.ts';
import type { Words } from '../words/words.ts';

interface LoginProps {
  readonly hub: HubClient;
  readonly words: Words;
  readonly setLanguage: (language: Language) => void;
  readonly state: 'asking' | 'none' | 'unreachable';
  readonly onSignedIn: () => void;
  readonly onRetry: () => void;
}

/** What became of the code in the address. */
type Attempt = 'none' | 'busy' | 'bad' | 'unreachable';

/** The way in: uses the code of a one-time link, or tells how to get one. */
export function Login({ hub, words, setLanguage, state, onSignedIn, onRetry }: LoginProps): JSX.Element {
  const attempt = useLoginCode(hub, onSignedIn);
  const busy = attempt === 'busy' || state === 'asking';
  return (
    <main class="login">
      <div class="login-card">
        <Brand />
        <h1>{words.t('login.title')}</h1>
        {busy ? <p role="status">{words.t(attempt === 'busy' ? 'login.busy' : 'page.loading')}</p> : null}
        {busy ? null : <HowTo words={words} problem={problemOf(attempt, state)} onRetry={onRetry} />}
        <LanguageChoice words={words} setLanguage={setLanguage} />
      </div>
    </main>
  );
}

function problemOf(attempt: Attempt, state: LoginProps['state']): WordKey | undefined {
  if (attempt === 'bad') return 'login.bad';
  return attempt === 'unreachable' || state === 'unreachable' ? 'login.unreachable' : undefined;
}

function HowTo(props: {
  readonly words: Words;
  readonly problem: WordKey | undefined;
  readonly onRetry: () => void;
}): JSX.Element {
  const { t } = props.words;
  return (
    <>
      {props.problem === undefined ? null : (
        <p class="note note-bad" role="alert">
          {t(props.problem)}
        </p>
      )}
      <p>{t('login.how')}</p>
      <pre class="command">
        <code>npx strands-tau login-link</code>
      </pre>
      <p>{t('login.then')}</p>
      {props.problem === 'login.unreachable' ? (
        <button type="button" class="quiet" onClick={props.onRetry}>
          {t('page.retry')}
        </button>
      ) : null}
    </>
  );
}

/**
 * Posts the code that the address carries, once, and takes it out of the address first: it must not stay in the
 * browser's history. A link that is pasted into the open page only changes the fragment, so that is watched.
 */
function useLoginCode(hub: HubClient, onSignedIn: () => void): Attempt {
  const [code, setCode] = useState(() => loginCode(location.hash));
  const [attempt, setAttempt] = useState<Attempt>(code === undefined ? 'none' : 'busy');
  useLayoutEffect(() => {
    const changed = (): void => setCode((before) => loginCode(location.hash) ?? before);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  useEffect(() => {
    if (code === undefined) return;
    setAttempt('busy');
    renameTo({ view: 'chat' });
    void hub.post('/login', { code }, anythingShape).then((reply) => {
      if (reply.ok) onSignedIn();
      else setAttempt(reply.status === 0 || reply.status >= 500 ? 'unreachable' : 'bad');
    });
  }, [code, hub, onSignedIn]);
  return attempt;
}
