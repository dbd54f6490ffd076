/** The content of a message: its text, and the kinds of what is no text, in order. */
export interface ReadContent {
  readonly text: string;
  readonly media: readonly string[];
}

/** Tells text from media. Text parts are joined by spaces. */
export function readContent(content: unknown): ReadContent {
  if (typeof content === 'string') return { text: content.toWellFormed(), media: [] };
  if (!Array.isArray(content)) return { text: '', media: [] };
  const texts: string[] = [];
  const media: string[] = [];
  for (const part of content) {
    const text = textOfPart(part);
    if (text === undefined) media.push(kindOfPart(part));
    else if (text !== '') texts.push(text.toWellFormed());
  }
  return { text: texts.join(' '), media };
}

/** The text of a message, or the kinds of its media in brackets when it has none. */
export function textOrKinds({ text, media }: ReadContent): string {
  return text === '' ? media.map((kind) => `[${kind}]`).join(' ') : text;
}

/** The text of a message's content, a client's or an agent's; whatever is no text is left out. */
export function flattenContentToText(content: unknown): string {
  return readContent(Array.isArray(content) ? content.map(clientPart) : content).text;
}

/** A text of the agent as a client writes it; everything else stays. */
function clientPart(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !('text' in part)) return part;
  const isAgents = !('type' in part) || part.type === 'textBlock';
  return isAgents ? { type: 'text', text: part.text } : part;
}

function textOfPart(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null || !('type' in part) || part.type !== 'text') return undefined;
  return 'text' in part && typeof part.text === 'string' ? part.text : '';
}

/** Kinds are named in errors and warnings, so only known words come out of here. */
function kindOfPart(part: unknown): string {
  if (typeof part !== 'object' || part === null || !('type' in part)) return 'unknown part';
  const { type } = part;
  if (type === 'image' || type === 'audio' || type === 'video' || type === 'document') return type;
  if (type !== 'binary') return 'unknown part';
  const mimeType = 'mimeType' in part && typeof part.mimeType === 'string' ? part.mimeType : '';
  return /^(image|audio|video)\//.exec(mimeType)?.[1] ?? 'document';
}
