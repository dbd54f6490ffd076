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

  it('looks into a text that is JSON, at any depth, and leaves every other text as it is', () => {
    const inner = JSON.stringify({
      password: 'p1',
      card: { number: '4111' },
      more: JSON.stringify([{ password: 'p2' }]),
    });
    const hidden = { password: '[redacted]', card: { number: '[redacted]' }, more: '[{"password":"[redacted]"}]' };
    const paths = ['password', 'body.card.number'];
    expect(redact({ body: inner }, paths)).toEqual({ body: JSON.stringify(hidden) });
    expect(redact(JSON.stringify(inner), ['password'])).toContain('[redacted]');
    for (const text of ['{ "other": 1 }', '{"password":', '[1, 2]', '"password"', 'password=p1', '{}'])
      expect(redact({ body: text }, paths)).toEqual({ body: text });
  });

  it('hides a text of JSON whole when it cannot be looked into', () => {
    const deep = `${'['.repeat(5000)}{"password":"p1"}${']'.repeat(5000)}`;
    expect(redact({ body: deep }, ['password'])).toEqual({ body: '[redacted]' });
  });
});
