/**
 * How much a tool can do.
 *
 * | value | name | meaning | question |
 * |---|---|---|---|
 * | 0 | `Read` | only reads | never |
 * | 1 | `DigitalWrite` | changes data that can be changed back | never |
 * | 2 | `Physical` | acts on the physical world, spends money or runs code | always, unless exempt |
 */
export type Tier = 0 | 1 | 2;

/** Names for the three tiers. */
export const Tier: { readonly Read: 0; readonly DigitalWrite: 1; readonly Physical: 2 } = Object.freeze({
  Read: 0,
  DigitalWrite: 1,
  Physical: 2,
});

/** Whether `value` is exactly 0, 1 or 2 (a number, not a boolean, string or `Number` object). */
export function isTier(value: unknown): value is Tier {
  return value === 0 || value === 1 || value === 2;
}
