import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';

const value = {
  password: 'p1',
  card: { number: '4111', holder: 'Ada', password: 'p2' },
  list: [{ password: 'p3', number: 1 }, 'text'],
  headers: { authorization: 'Bearer x', cookie: 'y' },
};

describe('[G16] redaction', () => {
  it('hides a key of one part at every depth', () => {
    expect(redact(value, ['password'])).toEqual({
      ...value,
      password: '[redacted]',
      card: { ...value.card, password: '[redacted]' },
      list: [{ password: '[redacted]', number: 1 }, 'text'],
    });
  });

  it('hides a path from the root only, with * for any key or index', () => {
    expect(redact(value, ['card.number', 'list.*.number', 'headers.*'])).toEqual({
      ...value,
      card: { ...value.card, number: '[redacted]' },
      list: [{ password: 'p3', number: '[redacted]' }, 'text'],
      headers: { authorization: '[redacted]', cookie: '[redacted]' },
    });
    expect(redact({ deep: value }, ['card.number'])).toEqual({ deep: value });
  });

  it('hides whole objects, changes nothing else and not the original', () => {
    const before = structuredClone(value);
    expect(redact(value, ['card'])).toEqual({ ...value, card: '[redacted]' });
    expect(redact('text', ['password'])).toBe('text');
    expect(redact(value, [])).toBe(value);
    expect(value).toEqual(before);
  });
});
