/** All tabs of this browser that show this hub. They share its cookie. */
const channel = new BroadcastChannel('tau.session');

/** Tells the other tabs that somebody has signed in or out in this one. */
export function tellOtherTabs(): void {
  channel.postMessage('changed');
}

/** Calls `changed` when somebody has signed in or out in another tab; returns its undo. */
export function onOtherTabs(changed: () => void): () => void {
  channel.addEventListener('message', changed);
  return () => channel.removeEventListener('message', changed);
}
