import type { z } from 'zod';
import { Problem } from './problem.ts';

/**
 * The query of a request, checked.
 *
 * @throws Problem 400 that names the parameter.
 */
export function readQuery<T>(url: string, schema: z.ZodType<T>): T {
  const given = new URL(url).searchParams;
  const parsed = schema.safeParse(Object.fromEntries([...given].filter(([, value]) => value !== '')));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue?.path.map(String).join('.') ?? '';
  const text = issue?.code === 'unrecognized_keys' ? 'there is an unknown parameter' : `${name}: ${issue?.message}`;
  throw new Problem(400, 'invalid_query', `The query does not fit: ${text}.`);
}
