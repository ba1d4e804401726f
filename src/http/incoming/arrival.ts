import type { IncomingMessage } from 'node:http';

/*
 * How long a request may take to arrive, with its body. Node has one limit for all requests of a server; large files need longer
 * than others, and only whoever may send them.
 */

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Calls `onLate` when the request has not arrived completely after `ms` milliseconds. */
export function limitArrival(incoming: IncomingMessage, ms: number, onLate: () => void): void {
  // Without a body it is there already.
  if (incoming.headers['content-length'] === undefined && incoming.headers['transfer-encoding'] === undefined) return;
  const timer = setTimeout(() => {
    if (!incoming.complete && !incoming.socket.destroyed) onLate();
  }, ms);
  timer.unref();
  timers.set(incoming, timer);
  incoming.once('close', () => clearTimeout(timer));
}

/** Lets the request take longer to arrive. Whoever reads its body bounds how slowly it comes. */
export function unlimitArrival(incoming: IncomingMessage): void {
  clearTimeout(timers.get(incoming));
}
