const KEY = 'tau.language';

/** The language that was chosen in this browser. A browser that forbids storage remembers nothing. */
export function rememberedLanguage(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Keeps the choice for the next visit. */
export function rememberLanguage(language: string): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // It holds until the page is closed.
  }
}
