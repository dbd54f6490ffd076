import { describe, expect, it } from 'vitest';
import { message, messageTable } from './i18n.ts';

const placeholders = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe('[G17] messages', () => {
  it('exist in English and Turkish for the same keys, none of them empty', () => {
    const [en, tr] = [messageTable('en'), messageTable('tr')];
    expect(Object.keys(tr).sort()).toEqual(Object.keys(en).sort());
    for (const text of [...Object.values(en), ...Object.values(tr)]) expect(text.trim()).not.toBe('');
  });

  it('cover every notice that a person can get', () => {
    expect(Object.keys(messageTable('en'))).toEqual(
      expect.arrayContaining([
        'notice.turn_limit',
        'notice.model_error',
        'notice.max_tokens',
        'notice.cancelled',
        'notice.throttled',
        'notice.overflow',
        'notice.interrupt_refused',
        'approval.question',
        'approval.approved',
        'approval.rejected',
        'approval.timeout',
      ]),
    );
  });

  it('name the same values in both languages', () => {
    const tr: Readonly<Record<string, string>> = messageTable('tr');
    for (const [key, text] of Object.entries(messageTable('en'))) {
      expect([key, placeholders(tr[key] ?? '')]).toEqual([key, placeholders(text)]);
    }
  });

  it('are translated: no Turkish text is the English one', () => {
    const tr: Readonly<Record<string, string>> = messageTable('tr');
    const same = Object.entries(messageTable('en')).filter(([key, text]) => tr[key] === text);
    expect(same).toEqual([]);
  });

  it('fill in values in the language asked for, and leave unknown names alone', () => {
    expect(message('en', 'notice.turn_limit', { value: 5 })).toBe(
      'I stopped: this turn reached its limit of 5 model calls.',
    );
    expect(message('tr', 'notice.turn_limit', { value: 5 })).toBe('Durdum: bu tur 5 model çağrısı sınırına ulaştı.');
    expect(message('en', 'notice.model_error', { toString: 'x' })).toBe('The model failed: {message}');
    expect(message('en', 'notice.model_error', { message: '{value} $& {message}', value: 1 })).toBe(
      'The model failed: {value} $& {message}',
    );
  });
});
