import { z } from 'zod';
import type { ValueStore } from '../../core/value-store.ts';

/** What a link or a session is kept as. */
export const ownedShape: z.ZodType<{ readonly principal: string }> = z.strictObject({ principal: z.string() });

/** Uses up all documents of a kind that belong to a principal, but one; returns how many there were. */
export async function takeOwned(
  values: ValueStore,
  kind: string,
  { principal, but }: { readonly principal: string; readonly but?: string | undefined },
  now: number,
): Promise<number> {
  let taken = 0;
  for (const { id, value } of await values.list(kind, now)) {
    const parsed = ownedShape.safeParse(value);
    if (!parsed.success || parsed.data.principal !== principal || id === but) continue;
    if (await values.take(kind, id)) taken += 1;
  }
  return taken;
}
