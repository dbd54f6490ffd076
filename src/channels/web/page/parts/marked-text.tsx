import type { JSX } from 'preact';
import { piecesOf } from '../question/pieces.ts';

/** Text that was escaped before, with the escapes marked, so that they do not pass for something that was typed. */
export function MarkedText({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {piecesOf(text).map((piece, index) =>
        // Pieces have no other name than their place.
        piece.escape ? <mark key={index}>{piece.text}</mark> : piece.text,
      )}
    </>
  );
}
