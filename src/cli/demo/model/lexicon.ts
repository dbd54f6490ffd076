import type { Language } from '../../../core/i18n.ts';
import type { Token } from './token.ts';

/** What a word can be about. */
export type Concept =
  | 'all'
  | 'back'
  | 'bye'
  | 'check'
  | 'degree'
  | 'delete'
  | 'door'
  | 'front'
  | 'greet'
  | 'help'
  | 'it'
  | 'lock'
  | 'negation'
  | 'never mind'
  | 'note'
  | 'open'
  | 'read'
  | 'set'
  | 'state'
  | 'temperature'
  | 'thanks'
  | 'unlock'
  | 'yes-no question';

/** Which words (folded, see `fold`) are about what, by language. Turkish words carry suffixes, so stems are matched. */
const LEXICON: readonly (readonly [concept: Concept, language: Language, words: RegExp])[] = [
  ['door', 'en', /^(doors?|gates?)$/],
  ['door', 'tr', /^kapi/],
  ['front', 'en', /^(front|main)$/],
  ['front', 'tr', /^on(deki\w*|unu)$/],
  ['back', 'en', /^(back|rear)$/],
  ['back', 'tr', /^arka(daki\w*|yi|si|sini)?$/],
  ['all', 'en', /^(both|all|every)$/],
  ['all', 'tr', /^(ikisi\w*|iki|her|butun|tum)$/],
  ['it', 'en', /^(it|that|this|them|those)$/],
  ['it', 'tr', /^(onu|bunu|sunu|onlari|sonucu)$/],

  ['unlock', 'en', /^unlock(ing)?$/],
  ['unlock', 'tr', /^kilidi(ni|n)?$/],
  ['open', 'en', /^open(ing)?$/],
  ['open', 'tr', /^ac(ar|in|iniz|sana|alim|abilir|iver|mak|mani)?$/],
  ['lock', 'en', /^(lock(ing)?|close|closing|shut)$/],
  [
    'lock',
    'tr',
    /^(kilitle(r|yin|yiniz|sene|yelim|yebilir|yiver|mek|meni)?|kapat(ir|in|iniz|sana|alim|abilir|mak|mani)?)$/,
  ],
  ['state', 'en', /^(locked|unlocked|closed|opened)$/],
  ['state', 'tr', /^(kilitli|kilitsiz|acik|kapali)$/],
  ['yes-no question', 'en', /^(is|are|isnt|arent|was|were|did|has|have)$/],
  ['yes-no question', 'tr', /^mi(dir|ydi)?$/],
  ['check', 'en', /^(check|look|status|state)$/],
  ['check', 'tr', /^(kontrol|bak\w*|durum\w*)$/],

  ['temperature', 'en', /^(temperature|temp|thermostat|heating|warm|cold|hot|warmer|colder)$/],
  ['temperature', 'tr', /^(sicak\w*|termostat\w*|isi(yi|tma|tmayi)?|hava)$/],
  ['degree', 'en', /^(degrees?|celsius)$/],
  ['degree', 'tr', /^derece\w*$/],
  ['set', 'en', /^(set|change|put|turn|make|raise|lower|adjust|increase|decrease)$/],
  ['set', 'tr', /^(yap(ar|in|sana|abilir)?|ayarla\w*|getir\w*|cikar\w*|dusur\w*|yukselt\w*|olsun|degistir\w*|cek)$/],

  ['note', 'en', /^notes?$/],
  ['note', 'tr', /^not(u|lar|lari|larim|larimi|larin)?$/],
  ['read', 'en', /^(read|show|list|what|whats|which|see|get|tell|my)$/],
  ['read', 'tr', /^(oku\w*|goster\w*|listele\w*|neler|neler\w*|ne|hangi|nedir|var|kac|soyle\w*)$/],
  ['delete', 'en', /^(delete|remove|erase|clear|wipe)$/],
  ['delete', 'tr', /^(sil(in|er|sene|ebilir|mek)?|temizle(r|yin)?|kaldir)$/],

  ['negation', 'en', /^(dont|not|never|doesnt|shouldnt|mustnt)$/],
  ['negation', 'tr', /^(acma|kilitleme|kapatma|silme|yapma|calistirma|ayarlama|alma|ekleme|yazma)(yin|yiniz|sana)?$/],
  ['never mind', 'en', /^(nevermind|cancel|forget|stop|nothing)$/],
  ['never mind', 'tr', /^(vazgec\w*|bosver\w*|iptal|gerek)$/],

  ['greet', 'en', /^(hi|hello|hey|morning|evening|afternoon)$/],
  ['greet', 'tr', /^(merhaba\w*|selam\w*|gunaydin|aksamlar)$/],
  ['help', 'en', /^help$/],
  ['help', 'tr', /^(yardim\w*|yapabilir\w*|yapabiliyor\w*)$/],
  ['thanks', 'en', /^(thanks|thank|thx)$/],
  ['thanks', 'tr', /^(tesekkur\w*|sagol\w*|sag|eyvallah)$/],
  ['bye', 'en', /^(bye|goodbye)$/],
  ['bye', 'tr', /^(hosca\w*|gorusuruz)$/],
];

/** English words that say nothing about the house but tell the language. */
const ENGLISH =
  /^(the|a|an|and|please|could|can|you|what|how|me|my|then|to|of|run|execute|write|down|remember|yes|no|one)$/;
const TURKISH = /^(ve|lutfen|sonra|bir|bana|icin|ile|da|de|misin|misiniz|calistir\w*|evet|hayir|olsun|diye|ekle\w*)$/;

/** What each token is about; one word can be about several things, or about nothing. */
export function conceptsOf(tokens: readonly Token[]): ReadonlySet<Concept> {
  return new Set(tokens.flatMap((token, index) => conceptsOfToken(token, tokens[index + 1])));
}

/** What one token is about; `next` tells Turkish `ön` from English `on` where it was typed without the dots. */
export function conceptsOfToken(token: Token, next: Token | undefined): readonly Concept[] {
  if (token.kind !== 'word') return [];
  const concepts = LEXICON.filter(([, , words]) => words.test(token.folded)).map(([concept]) => concept);
  const isTurkishFront = token.folded === 'on' && (/^ö/i.test(token.raw) || next?.folded.startsWith('kapi') === true);
  return isTurkishFront ? [...concepts, 'front'] : concepts;
}

/** The language that most of the words belong to; `undefined` when they do not tell. */
export function languageOf(tokens: readonly Token[]): Language | undefined {
  const words = tokens.filter(({ kind }) => kind === 'word');
  const balance = words.reduce((sum, word) => sum + evidence(word), 0);
  if (balance === 0) return undefined;
  return balance > 0 ? 'en' : 'tr';
}

/** How much a word speaks for English (positive) or Turkish (negative). */
function evidence({ raw, folded }: Token): number {
  const languages = LEXICON.filter(([, , words]) => words.test(folded)).map(([, language]) => language);
  const english = languages.includes('en') || ENGLISH.test(folded) ? 1 : 0;
  const turkish = languages.includes('tr') || TURKISH.test(folded) ? 1 : 0;
  return english - turkish - (/[çğışöüÇĞİŞÖÜ]/.test(raw) ? 2 : 0);
}
