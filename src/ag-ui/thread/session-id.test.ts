import { createHash } from 'node:crypto';
import { SessionManager } from '@strands-agents/sdk';
import { expect, test } from 'vitest';
import { memorySessions } from '../../hub/memory-sessions.ts';
import { sessionIdOf } from './session-id.ts';
import { threadKey } from './thread-key.ts';

const ann = { id: 'ann', kind: 'person' } as const;
const anonymous = { id: 'anonymous', kind: 'person' } as const;

test('[B10] a session has another id for each principal and thread, and one that the SDK takes', () => {
  const ids = [
    sessionIdOf('T-1 Äç/..', ann),
    sessionIdOf('T-1 Äç/..', { ...ann, id: 'bob' }),
    sessionIdOf('t-1 äç/..', ann),
    sessionIdOf('', ann),
    sessionIdOf('', anonymous),
    sessionIdOf('"ann"/default', anonymous),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  for (const sessionId of ids) {
    expect(sessionId).toMatch(/^[0-9a-f]{64}$/);
    expect(() => new SessionManager({ sessionId, storage: { snapshot: memorySessions() } })).not.toThrow();
  }
  expect(sessionIdOf('', anonymous)).toBe(sessionIdOf('default', anonymous));
});

test('[B10] its id is the SHA-256 of the key of the thread, so that sessions are found again', () => {
  for (const id of ['t1', 'ünï', '\ud800'])
    expect(sessionIdOf(id, ann)).toBe(createHash('sha256').update(threadKey(id, ann), 'utf8').digest('hex'));
});
