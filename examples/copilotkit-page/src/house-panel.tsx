import { useAgent } from '@copilotkit/react-core/v2';
import { type ReactElement, useCallback, useEffect, useState } from 'react';
import { escapeText } from 'strands-tau';
import type { HouseState } from '../server/house.ts';

/** The house itself, as the server reports it: what really ran, whatever was said in the conversation. */
export function HousePanel(): ReactElement {
  const house = useHouse();
  return (
    <aside className="house" aria-label="The house">
      <h2>The house</h2>
      <ul className="house-things">
        {house === undefined
          ? null
          : Object.entries(house.doors).map(([door, state]) => (
              <li key={door} data-door={door} className={state}>
                <span>{door === 'front' ? 'Front door' : 'Back door'}</span>
                <strong>{state}</strong>
              </li>
            ))}
        <li className="house-display">
          <span>Display</span>
          <strong>{house === undefined || house.display === '' ? 'empty' : escapeText(house.display)}</strong>
        </li>
      </ul>
      <h3>What really ran</h3>
      {house === undefined || house.deeds.length === 0 ? (
        <p className="house-nothing">Nothing yet.</p>
      ) : (
        <ol className="house-deeds">
          {house.deeds.map(({ tool, arguments: args }, position) => (
            // The list only grows, so a position is the name of an entry.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={position}>
              <code>
                {tool} {escapeText(JSON.stringify(args))}
              </code>
            </li>
          ))}
        </ol>
      )}
    </aside>
  );
}

function useHouse(): HouseState | undefined {
  const { agent } = useAgent({ updates: [] });
  const [house, setHouse] = useState<HouseState>();
  const load = useCallback(() => {
    fetch('/house')
      .then(async (response) => setHouse(await response.json()))
      .catch(() => setHouse(undefined));
  }, []);
  useEffect(() => {
    load();
    const subscription = agent.subscribe({ onToolCallResultEvent: load, onRunFinalized: load });
    return () => subscription.unsubscribe();
  }, [agent, load]);
  return house;
}
