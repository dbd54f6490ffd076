import { decision, NOW, question } from './sample.ts';
import { type AddTest, check, eventually, same, taken } from './suite.ts';

/** Tests of `expire` and `watch`. */
export function timeAndWatchTests(add: AddTest): void {
  add('open questions whose time has passed time out, in the name of tau; nothing else does', async (store) => {
    await store.create(question('due', { expiresAt: NOW + 1000 }));
    await store.create(question('later', { expiresAt: NOW + 1001 }));
    await store.create(question('never'));
    await store.create(question('answered', { expiresAt: NOW + 500 }));
    taken(await store.decide('answered', decision('approved', 'ada', NOW + 400)), 'approve');
    same(await store.expire(NOW + 1000), ['due'], 'the ids');
    const silence = {
      decision: 'timeout',
      by: { id: 'tau', kind: 'service' },
      channel: 'clock',
      at: NOW + 1000,
      tookMs: 1000,
    };
    const due = question('due', { expiresAt: NOW + 1000 });
    same(await store.get('due'), { ...due, status: 'timeout', decision: silence, updatedAt: NOW + 1000 }, 'the record');
    same((await store.get('later'))?.status, 'pending', 'a question with time left');
    same((await store.get('never'))?.status, 'pending', 'a question without a limit');
    same((await store.get('answered'))?.status, 'approved', 'an answered question');
    same(await store.expire(NOW + 1000), [], 'the ids the second time');
  });

  add('watchers hear the id of every record that is created or changed', async (store) => {
    const heard: string[] = [];
    store.watch((id) => heard.push(id));
    await store.create(question('one'));
    await eventually(() => heard.includes('one'), 'the news of a new record');
    heard.length = 0;
    taken(await store.decide('one', decision('approved')), 'approve');
    await eventually(() => heard.includes('one'), 'the news of a decision');
    heard.length = 0;
    await store.create(question('two', { expiresAt: NOW }));
    await store.expire(NOW);
    await eventually(() => heard.filter((id) => id === 'two').length >= 2, 'the news of a timeout');
  });

  add('a step that is refused is no news', async (store) => {
    await store.create(question('one'));
    taken(await store.decide('one', decision('rejected')), 'reject');
    await store.create(question('before'));
    const heard: string[] = [];
    store.watch((id) => heard.push(id));
    await store.consume('one', 'token-1', NOW);
    await store.create(question('after'));
    await eventually(() => heard.includes('after'), 'the news of a later record');
    check(!heard.includes('one'), 'nothing was told about the refused step');
  });

  add('a watcher that throws changes nothing, and the others still hear', async (store) => {
    const heard: string[] = [];
    store.watch(() => {
      throw new Error('broken watcher');
    });
    store.watch((id) => heard.push(id));
    await store.create(question('one'));
    taken(await store.decide('one', decision('approved')), 'approve');
    same((await store.get('one'))?.status, 'approved', 'the status');
    await eventually(() => heard.includes('one'), 'the news');
  });

  add('a watcher that was undone hears nothing more', async (store) => {
    const gone: string[] = [];
    const heard: string[] = [];
    const undo = store.watch((id) => gone.push(id));
    store.watch((id) => heard.push(id));
    undo();
    undo();
    await store.create(question('one'));
    await eventually(() => heard.includes('one'), 'the news');
    same(gone, [], 'what the first one heard');
  });
}
