/** An id that nobody guesses. `crypto.randomUUID` would need a secure context. */
export function freshId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
