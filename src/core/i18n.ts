/** The languages that tau speaks to people. What the model reads is always English. */
export type Language = 'en' | 'tr';

/** All of them. */
export const LANGUAGES: readonly Language[] = ['en', 'tr'];

const en = {
  'notice.turn_limit': 'I stopped: this turn reached its limit of {value} model calls.',
  'notice.token_limit': 'I stopped: this turn reached its limit of {value} tokens.',
  'notice.model_error': 'The model failed: {message}',
  'notice.max_tokens': 'The answer was cut off: the model reached its maximum length.',
  'notice.cancelled': 'Cancelled.',
  'notice.throttled': 'The model service is busy. Please try again in a moment.',
  'notice.overflow': 'The conversation is too long for the model. Start a new one or shorten it.',
  'notice.interrupt_refused': 'A component wanted to pause for an answer that nobody can give here; it was refused.',
  'notice.parked': 'Waiting for approval: {tools}.',
  'notice.unknown_outcome': 'It is unknown whether {tool} took effect; it was not run again.',
  'approval.title': 'Approval needed',
  'approval.tool': 'Tool',
  'approval.tier': 'Tier',
  'approval.tier.0': 'read',
  'approval.tier.1': 'digital write',
  'approval.tier.2': 'physical action or self-written code',
  'approval.effect': 'Effect',
  'approval.arguments': 'Arguments',
  'approval.requester': 'Requested by',
  'approval.by.model': '{who}, through the model',
  'approval.by.routine': '{who}, through a routine',
  'approval.by.mcp': '{who}, through MCP',
  'approval.by.direct': '{who}, from code',
  'approval.digest': 'Digest',
  'approval.question': 'Approve? [y/N]',
  'approval.page': 'Page {page} of {pages}. Enter for the next page, n to reject',
  'approval.page_narrow': '{page}/{pages} · Enter: next · n: reject',
  'approval.not_yet': 'Not counted: there is more to see before you can approve.',
  'approval.approved': 'Approved.',
  'approval.rejected': 'Not approved.',
  'approval.timeout': 'No answer in time; not approved.',
  'approval.cancelled': 'The question was withdrawn.',
  'approval.replaced': 'The arguments were changed elsewhere; this question is void.',
  'approval.elsewhere.approved': 'Approved elsewhere: by {who} through {channel} at {time}.',
  'approval.elsewhere.rejected': 'Rejected elsewhere: by {who} through {channel} at {time}.',
  'approval.not_counted': 'Your answer could not be recorded and does not count.',
} as const;

/** A key of the message table. */
export type MessageKey = keyof typeof en;

const tr: Record<MessageKey, string> = {
  'notice.turn_limit': 'Durdum: bu tur {value} model çağrısı sınırına ulaştı.',
  'notice.token_limit': 'Durdum: bu tur {value} belirteç sınırına ulaştı.',
  'notice.model_error': 'Model hata verdi: {message}',
  'notice.max_tokens': 'Yanıt yarım kaldı: model en fazla uzunluğa ulaştı.',
  'notice.cancelled': 'İptal edildi.',
  'notice.throttled': 'Model hizmeti şu anda yoğun. Lütfen birazdan yeniden deneyin.',
  'notice.overflow': 'Konuşma model için çok uzun. Yeni bir konuşma başlatın ya da kısaltın.',
  'notice.interrupt_refused': 'Bir bileşen burada kimsenin veremeyeceği bir yanıt için duraklamak istedi; reddedildi.',
  'notice.parked': 'Onay bekleniyor: {tools}.',
  'notice.unknown_outcome': '{tool} işleminin gerçekleşip gerçekleşmediği bilinmiyor; yeniden çalıştırılmadı.',
  'approval.title': 'Onay gerekiyor',
  'approval.tool': 'Araç',
  'approval.tier': 'Düzey',
  'approval.tier.0': 'okuma',
  'approval.tier.1': 'dijital yazma',
  'approval.tier.2': 'fiziksel eylem ya da kendi yazdığı kod',
  'approval.effect': 'Etki',
  'approval.arguments': 'Girdiler',
  'approval.requester': 'İsteyen',
  'approval.by.model': '{who}, model aracılığıyla',
  'approval.by.routine': '{who}, bir rutin aracılığıyla',
  'approval.by.mcp': '{who}, MCP aracılığıyla',
  'approval.by.direct': '{who}, doğrudan koddan',
  'approval.digest': 'Özet',
  'approval.question': 'Onaylıyor musunuz? [e/H]',
  'approval.page': 'Sayfa {page} / {pages}. Sonraki sayfa için Enter, reddetmek için h',
  'approval.page_narrow': '{page}/{pages} · Enter: sonraki · h: ret',
  'approval.not_yet': 'Sayılmadı: onaylamadan önce görülecek daha çok şey var.',
  'approval.approved': 'Onaylandı.',
  'approval.rejected': 'Onaylanmadı.',
  'approval.timeout': 'Zamanında yanıt gelmedi; onaylanmadı.',
  'approval.cancelled': 'Soru geri çekildi.',
  'approval.replaced': 'Girdiler başka bir yerde değiştirildi; bu soru geçersiz.',
  'approval.elsewhere.approved': 'Başka bir yerde onaylandı: {who}, {channel} üzerinden, {time}.',
  'approval.elsewhere.rejected': 'Başka bir yerde reddedildi: {who}, {channel} üzerinden, {time}.',
  'approval.not_counted': 'Yanıtınız kaydedilemedi ve sayılmıyor.',
};

const tables: Record<Language, Record<MessageKey, string>> = { en, tr };

/**
 * A message for a person.
 *
 * @param values - What stands for `{name}` in the text.
 */
export function message(
  language: Language,
  key: MessageKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return tables[language][key].replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}

/** All keys with their texts, for checks that no language misses one. */
export function messageTable(language: Language): Readonly<Record<MessageKey, string>> {
  return tables[language];
}
