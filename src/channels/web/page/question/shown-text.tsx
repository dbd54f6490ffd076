import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Piece, piecesOf } from './pieces.ts';
import type { ShownWatcher } from './shown-watcher.ts';

/** Escaped text that has to have been on the screen before the question may be approved. */
export function ShownText(props: {
  readonly text: string;
  readonly name: string;
  readonly watcher: ShownWatcher | undefined;
}): JSX.Element {
  const pieces = piecesOf(props.text);
  return (
    <>
      {pieces.map((piece, index) => {
        const key = `${props.name}.${index}`;
        return <ShownPiece key={key} name={key} piece={piece} watcher={props.watcher} />;
      })}
    </>
  );
}

function ShownPiece(props: {
  readonly piece: Piece;
  readonly name: string;
  readonly watcher: ShownWatcher | undefined;
}): JSX.Element {
  const { piece, name, watcher } = props;
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(
    () => (element.current === null ? undefined : watcher?.watch(name, element.current)),
    [watcher, name],
  );
  return piece.escape ? <mark ref={element}>{piece.text}</mark> : <span ref={element}>{piece.text}</span>;
}
