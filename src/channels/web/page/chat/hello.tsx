import type { JSX } from 'preact';
import { TierBadge } from '../parts/tier-badge.tsx';
import { shortened } from '../parts/visible.ts';
import { usePage, useWords } from '../state/page-context.ts';
import { useLoad } from '../state/use-load.ts';
import { toolsShape } from '../wire/shapes.ts';

const samples = ['chat.try.1', 'chat.try.2', 'chat.try.3'] as const;

/** What stands in a conversation that nobody has begun: what the agent can do. */
export function Hello({ onTry }: { readonly onTry: (text: string) => void }): JSX.Element {
  const { hub, me } = usePage();
  const { t } = useWords();
  const { value } = useLoad('tools', () => hub.get('/api/tools', toolsShape));
  const tools = value?.tools.filter(({ visible }) => visible !== false) ?? [];
  return (
    <div class="hello">
      <p class="hello-title">{t('chat.hello')}</p>
      <p class="hint">{t('chat.hello_more')}</p>
      {me.demo === undefined || me.demo === false || me.demo === null ? null : (
        <section class="samples" aria-label={t('chat.try')}>
          {samples.map((sample) => (
            <button key={sample} type="button" class="sample" onClick={() => onTry(t(sample))}>
              {t(sample)}
            </button>
          ))}
        </section>
      )}
      {tools.length === 0 ? null : (
        <section class="tools">
          <h2>{t('chat.tools')}</h2>
          <ul>
            {tools.map(({ name, tier, description = '' }) => (
              <li key={name}>
                <TierBadge tier={tier} />
                <div>
                  <code>{shortened(name, 60)}</code>
                  <p class="hint">{shortened(description, 200)}</p>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
