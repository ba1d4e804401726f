import type { IncomingMessage } from 'node:http';

/*
 * How long a request may take to arrive, with its body. Node has one limit for all requests of a server. Large files need
 * more time, and only callers who may send them get it.
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

/** Removes the time limit of a request. The code that reads its body must refuse one that comes too slowly. */
export function unlimitArrival(incoming: IncomingMessage): void {
  clearTimeout(timers.get(incoming));
}
