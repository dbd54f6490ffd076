import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** The part of the browser's DOM that is used in the page. */
interface PageElement {
  getBoundingClientRect(): Readonly<Record<'top' | 'bottom' | 'left' | 'right', number>>;
  contains(other: PageElement): boolean;
}
declare const document: { elementFromPoint(x: number, y: number): PageElement | null };
declare const innerHeight: number;
declare const innerWidth: number;

/** Whether all of an element lies on the screen and nothing lies over it. */
export function isInView(element: Locator): Promise<boolean> {
  return element.evaluate((node: PageElement) => {
    const { top, bottom, left, right } = node.getBoundingClientRect();
    if (top < 0 || left < 0 || bottom > innerHeight || right > innerWidth || bottom === top) return false;
    return [top + 2, (top + bottom) / 2, bottom - 2].every((y) => {
      const hit = document.elementFromPoint((left + right) / 2, y);
      return hit !== null && (node.contains(hit) || hit.contains(node));
    });
  });
}

/** Waits until a person sees all of each element at once. */
export async function expectInView(elements: Readonly<Record<string, Locator>>): Promise<void> {
  const hidden = async (): Promise<readonly string[]> => {
    const looked = Object.entries(elements).map(async ([name, element]) => ((await isInView(element)) ? [] : [name]));
    return (await Promise.all(looked)).flat();
  };
  await expect.poll(hidden, { timeout: 5000 }).toEqual([]);
}
