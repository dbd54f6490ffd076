import { type ApprovalRequest, principalOf } from '../../core/call.ts';
import { escapeText, showJson } from '../../core/escape.ts';
import { type Language, message } from '../../core/i18n.ts';

/** One thing to show, before it is fitted to a screen. */
export type Row =
  /** Something that tau states, with its label. */
  | { readonly type: 'field'; readonly label: string; readonly text: string }
  /** The heading of the area below it. */
  | { readonly type: 'heading'; readonly label: string }
  /** A line of the arguments: text that is not tau's. */
  | { readonly type: 'argument'; readonly text: string };

/** Everything that a person must see to decide, all of it escaped. */
export function questionRows(request: ApprovalRequest, language: Language): readonly Row[] {
  const label = (name: 'tool' | 'tier' | 'effect' | 'requester' | 'digest' | 'arguments'): string =>
    message(language, `approval.${name}`);
  return [
    { type: 'field', label: label('tool'), text: escapeText(request.tool) },
    {
      type: 'field',
      label: label('tier'),
      text: `${request.tier} · ${message(language, `approval.tier.${request.tier}`)}`,
    },
    { type: 'field', label: label('effect'), text: escapeText(request.effect) },
    { type: 'field', label: label('requester'), text: requester(request, language) },
    { type: 'field', label: label('digest'), text: shortDigest(request.digest) },
    { type: 'heading', label: label('arguments') },
    ...showJson(request.arguments).map((text): Row => ({ type: 'argument', text })),
  ];
}

function requester({ origin }: ApprovalRequest, language: Language): string {
  return message(language, `approval.by.${origin.kind}`, { who: escapeText(principalOf(origin).id) });
}

/** The first 16 digits: enough to tell two questions apart; the whole digest is in the record. */
function shortDigest(digest: string): string {
  return escapeText(digest.slice(0, 16).replace(/.{4}(?=.)/g, '$& '));
}
