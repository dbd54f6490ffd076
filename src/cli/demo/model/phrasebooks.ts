import type { Language } from '../../../core/i18n.ts';
import { english } from './english.ts';
import type { Phrasebook } from './phrasebook.ts';
import { turkish } from './turkish.ts';

/** The phrasebook of each language. */
export const phrasebooks: Readonly<Record<Language, Phrasebook>> = { en: english, tr: turkish };
