import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { HttpContext } from '../context.ts';
import { standardHeaders } from '../context.ts';

/**
 * Taken before Hono's server replaces it, when it first listens: its own class is sent without a look at the header that
 * says that there is nothing to send.
 */
const PlainResponse = globalThis.Response;

/** The request and the response of Node behind a request. */
export interface NodeExchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** @throws {Error} when the request came without a socket, as some tests send it */
export function nodeExchange(context: HttpContext): NodeExchange {
  const { incoming, outgoing } = context.env;
  if (incoming === undefined || outgoing === undefined) throw new Error('this needs a connection');
  return { incoming: incoming as IncomingMessage, outgoing: outgoing as ServerResponse };
}

/**
 * A request whose body was read, with a body in its place.
 * @param origin the address under which the browser reaches this server
 */
export function replayed(incoming: IncomingMessage, origin: string, body = ''): IncomingMessage {
  // On a socket of its own, because a request that nobody reads to its end closes its socket.
  const copy = new IncomingMessage(new Socket());
  const { protocol, host } = new URL(origin);
  copy.method = incoming.method ?? 'GET';
  copy.url = incoming.url ?? '/';
  copy.httpVersion = incoming.httpVersion;
  const { 'transfer-encoding': _encoding, authorization: _authorization, ...headers } = incoming.headers;
  copy.headers = {
    ...headers,
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-host': host,
    'content-length': String(Buffer.byteLength(body)),
  };
  if (body !== '') copy.push(body);
  copy.push(null);
  return copy;
}

/** Sets the headers that every response has, on one that is not sent by Hono. */
export function setStandardHeaders(context: HttpContext, outgoing: ServerResponse): void {
  for (const [name, value] of Object.entries(standardHeaders(context))) outgoing.setHeader(name, value);
}

/** Tells Hono's server that the response was sent already. */
export function alreadySent(context: HttpContext, outgoing: ServerResponse): Response {
  context.set('sealed', true);
  return new PlainResponse(null, { status: outgoing.statusCode, headers: { 'x-hono-already-sent': 'true' } });
}
