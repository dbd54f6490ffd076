import assert from 'node:assert/strict';
import type { Visit, VisitOptions } from './visit.ts';

/** One conversation, from a fresh page to its end. */
export interface Round extends VisitOptions {
  readonly run: (visit: Visit) => Promise<void>;
}

export type Rounds = Readonly<Record<string, Round>>;

/** What must hold of the page, one conversation each. */
export const rounds: Rounds = {
  'a yes runs exactly what the card showed, once': {
    run: async (visit) => {
      await visit.picture('welcome');
      await visit.say('Unlock the front door');
      const card = visit.cards.first();
      await card.waitFor();
      assert.equal(await visit.cards.count(), 1);
      assert.equal(await visit.fact(card, 'Tool').textContent(), 'unlock_door');
      assert.match((await visit.fact(card, 'Tier').textContent()) ?? '', /^2\s/);
      assert.equal(await visit.fact(card, 'Effect').textContent(), 'Unlocks the front door. Anybody can come in.');
      assert.match((await visit.fact(card, 'Digest').textContent()) ?? '', /^[0-9a-f]{4}( [0-9a-f]{4}){15}$/);
      const shown: unknown = JSON.parse((await card.locator('pre').textContent()) ?? '');
      await visit.call('unlock_door', 'waiting').waitFor();
      await visit.picture('question');
      assert.deepEqual(visit.deeds, [], 'nothing has run before the answer');
      assert.equal(await visit.input.isDisabled(), true, 'a question cannot be talked away');

      await card.getByRole('button', { name: 'Approve' }).click();
      await visit.hear('The front door is now unlocked.');
      assert.deepEqual(visit.deeds, [{ tool: 'unlock_door', arguments: shown }], 'what was shown has run, once');
      await visit.call('unlock_door', 'done').waitFor();
      assert.equal(await visit.cards.count(), 0, 'the question is gone');
      await visit.page.locator('[data-door="front"].unlocked').waitFor();
      await visit.picture('approved');
    },
  },

  'a no runs nothing, and the model reads the reason': {
    run: async (visit) => {
      await visit.say('Unlock the back door');
      const card = visit.cards.first();
      await card.getByRole('textbox').fill('nobody is at home');
      await visit.picture('reason');
      await card.getByRole('button', { name: 'Reject' }).click();
      await visit.hear('You said: nobody is at home.');
      await visit.call('unlock_door', 'refused').waitFor();
      assert.deepEqual(visit.deeds, [], 'nothing has run');
      await visit.picture('rejected');
    },
  },

  'looking asks nobody': {
    run: async (visit) => {
      await visit.say('Is the back door locked?');
      await visit.hear('The back door is locked.');
      assert.deepEqual(visit.deeds, [{ tool: 'read_lock', arguments: { door: 'back' } }]);
      assert.equal(await visit.cards.count(), 0);
    },
  },

  'two questions of one turn are answered one by one, and go on together': {
    height: 1400,
    run: async (visit) => {
      await visit.say('Unlock both doors');
      await visit.cards.nth(1).waitFor();
      await visit.cards.first().getByRole('button', { name: 'Approve' }).click();
      await visit.page.locator('.card-answered').waitFor();
      assert.equal(await visit.cards.first().getByRole('button').count(), 0, 'an answer is given once');
      await visit.picture('two-questions');
      assert.deepEqual(visit.deeds, [], 'half an answer runs nothing');
      await visit.cards.nth(1).getByRole('button', { name: 'Reject' }).click();
      await visit.hear('The back door stays as it is.');
      assert.deepEqual(visit.deeds, [{ tool: 'unlock_door', arguments: { door: 'front' } }]);
    },
  },

  'what a model wrote is text: markup, hidden and reversing characters': {
    run: async (visit) => {
      const text = '<img src=x onerror=alert(1)> free\u202eelttob\u200b';
      await visit.say(`show "${text}" on the display`);
      const card = visit.cards.first();
      await card.waitFor();
      const shown = await card.locator('pre').textContent();
      assert.equal(shown, '{\n  "text": "<img src=x onerror=alert(1)> free\\u202eelttob\\u200b"\n}');
      assert.equal(await card.locator('img').count(), 0);
      await visit.picture('hostile');
      await card.getByRole('button', { name: 'Approve' }).click();
      await visit.hear('The display shows it now.');
      assert.deepEqual(visit.deeds, [{ tool: 'show_on_display', arguments: { text } }]);
    },
  },

  'a question that nobody answers runs nothing, and the conversation goes on': {
    timeoutSeconds: 2,
    run: async (visit) => {
      await visit.say('Unlock the front door');
      await visit.page.locator('.card.expired').waitFor();
      await visit.picture('expired');
      await visit.page.getByRole('button', { name: 'Go on without' }).click();
      await visit.hear('The front door stays as it is.');
      assert.deepEqual(visit.deeds, [], 'silence has run nothing');
      await visit.say('Is the front door locked?');
      await visit.hear('The front door is locked.');
    },
  },

  'an answer that never arrived is sent again': {
    failing: true,
    run: async (visit) => {
      await visit.say('Unlock the front door');
      await visit.loseOne('there');
      await visit.page.getByRole('button', { name: 'Approve' }).click();
      await visit.page.getByRole('alert').getByText('Your answer may not have arrived').waitFor();
      assert.deepEqual(visit.deeds, [], 'nothing has run');
      assert.equal(await visit.input.isDisabled(), true, 'the question is still open');
      await visit.picture('lost');
      await visit.page.getByRole('button', { name: 'Send the answer again' }).click();
      await visit.hear('The front door is now unlocked.');
      assert.equal(visit.deeds.length, 1);
    },
  },

  'an answer whose result got lost runs nothing twice': {
    failing: true,
    run: async (visit) => {
      await visit.say('Unlock the front door');
      await visit.loseOne('back');
      await visit.page.getByRole('button', { name: 'Approve' }).click();
      await visit.page.getByRole('button', { name: 'Send the answer again' }).click();
      // The server says that it is done and does not tell the result again; the house shows it.
      await visit.call('unlock_door', 'unknown').waitFor();
      await visit.page.locator('[data-door="front"].unlocked').waitFor();
      assert.equal(visit.deeds.length, 1, 'the body has run once');
      await visit.picture('result-lost');
      await visit.say('Is the front door locked?');
      await visit.hear('The front door is unlocked.');
    },
  },

  'whoever answers first wins, and the page says who': {
    run: async (visit) => {
      await visit.say('Unlock the front door');
      const approve = visit.page.getByRole('button', { name: 'Approve' });
      await approve.waitFor();
      await visit.rejectElsewhere();
      await approve.click();
      await visit.hear('The front door stays as it is.');
      await visit.page.getByText('rejected by ada').waitFor();
      assert.deepEqual(visit.deeds, [], 'a late yes runs nothing');
    },
  },

  'a narrow screen has room for everything': {
    width: 360,
    height: 740,
    run: async (visit) => {
      await visit.say('Unlock the front door');
      const approve = visit.page.getByRole('button', { name: 'Approve' });
      await approve.waitFor();
      await visit.picture('narrow');
      const overflow = await visit.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, 'nothing is wider than the screen');
      await approve.click();
      await visit.hear('The front door is now unlocked.');
      await visit.picture('narrow-approved');
      assert.equal(visit.deeds.length, 1);
    },
  },
};
