import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { unavailable } from '../errors.ts';
import type { Log } from '../workers/log.ts';
import type { Config } from '../settings/config.ts';
import { mountDocs, mountFrontPage } from './docs/docs.ts';
import { limitArrival } from './incoming/body.ts';
import { mountMcp } from './mcp.ts';
import type { HttpParts, Mount } from './mount.ts';
import { mountOAuth } from './oauth/mount.ts';
import { mountPage } from './page/mount.ts';
import { mountLookUp } from './rest/capture.ts';
import { createHttpServer, type HttpServer } from './server.ts';
import { mountSignIn } from './sign-in/mount.ts';

/** The routes beside health, metrics and REST. A new set of routes is one more entry here. */
export const mounts: readonly Mount[] = [
  mountDocs,
  mountLookUp,
  mountPage,
  mountFrontPage,
  mountSignIn,
  mountOAuth,
  mountMcp,
];

/** Limits for clients that send their request too slowly. */
export interface ArrivalLimits {
  headersMs: number;
  /** For the whole request, with its body. A route that takes large files lifts it. */
  requestMs: number;
  /** How often connections are looked at: a slow request is ended up to this much later. */
  checkMs: number;
}
const usualArrivalLimits: ArrivalLimits = { headersMs: 10_000, requestMs: 60_000, checkMs: 5_000 };
/** No request takes longer to arrive, whatever it is. */
const maxRequestMs = 60 * 60_000;
/**
 * Longer than the 60 s after which proxies close idle connections. If the server closed first, a proxy could send a
 * request on a closing connection, and the request would be lost.
 */
const keepAliveTimeoutMs = 65_000;
const maxHeaderBytes = 16 * 1024;
/**
 * Each connection takes memory and a file descriptor, which open files need as well. Connections above the limit are
 * closed.
 */
const maxConnections = 2_000;
/**
 * When the server is told to stop, keep-alive connections stay open this long. Requests already sent on them are still
 * answered, with `Connection: close`; closing at once would lose them.
 */
const lingerMs = 250;
/** Time for aborted calls to send their error response. */
const lastWordsMs = 1_000;

export interface Listening {
  /** `http://127.0.0.1:7878`. */
  url: string;
  /**
   * Stops the server so that no client is left without an answer. Requests in flight get the grace period of the
   * settings, or none once `atOnce` is aborted. After that, the calls still waiting are aborted, and their clients are
   * told why.
   */
  close(atOnce: AbortSignal): Promise<void>;
}

/** Builds the HTTP server with all its routes and starts listening. */
export async function serveHttp(parts: HttpParts): Promise<Listening> {
  return listen(await createHttpServer({ mounts, ...parts }), parts.config, parts.log);
}

/** @throws {AppError} `unavailable` when the address cannot be listened on */
export async function listen(
  http: HttpServer,
  config: Pick<Config, 'httpHost' | 'httpPort' | 'shutdownGraceSeconds'>,
  log: Log,
  arrival = usualArrivalLimits,
): Promise<Listening> {
  const answer = getRequestListener((request, env) => http.app.fetch(request, env), {
    errorHandler: () => problemResponse(400, 'The request line or the Host header is not valid.'),
  });
  const inFlight = new Set<ServerResponse>();
  let stopping = false;
  let lingering = false;
  let onIdle: () => void = () => undefined;
  const server = createServer(
    {
      headersTimeout: arrival.headersMs,
      requestTimeout: maxRequestMs,
      connectionsCheckingInterval: arrival.checkMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
      // The listener itself refuses such a request, with a problem response that says why.
      requireHostHeader: false,
    },
    oneAtATime((incoming, outgoing) => {
      inFlight.add(outgoing);
      limitArrival(incoming, arrival.requestMs, () => {
        // An answer that has begun cannot be followed by another one.
        if (outgoing.headersSent) incoming.socket.destroy();
        else refuseMalformed(late(), incoming.socket);
      });
      if (stopping) outgoing.shouldKeepAlive = false;
      outgoing.once('close', () => {
        inFlight.delete(outgoing);
        if (!stopping) return;
        if (!lingering) server.closeIdleConnections();
        if (inFlight.size === 0) onIdle();
      });
      if (namesAnotherHost(incoming))
        refuse(outgoing, 400, 'The requested address and the Host header name different hosts.');
      else void answer(incoming, outgoing);
    }),
  );
  server.maxConnections = maxConnections;
  // `Expect: 100-continue`: handle it as a normal request. The body reader sends 100 Continue, after the token was
  // checked.
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) =>
    server.emit('request', incoming, outgoing),
  );
  server.on('checkExpectation', (_incoming: IncomingMessage, outgoing: ServerResponse) =>
    refuse(outgoing, 417, 'Only 100-continue can be expected here.'),
  );
  /** Resolves when no request is in flight, after `ms` milliseconds, or when `cut` is aborted. */
  const idleWithin = async (ms: number, cut?: AbortSignal): Promise<void> => {
    if (inFlight.size === 0 || cut?.aborted === true) return;
    await new Promise<void>((resolve) => {
      onIdle = resolve;
      setTimeout(resolve, ms).unref();
      cut?.addEventListener('abort', () => resolve(), { once: true });
    });
  };
  server.on('clientError', refuseMalformed);
  await start(server, config);

  return {
    url: urlOf(server, config.httpHost),
    async close(atOnce) {
      stopping = true;
      http.stop();
      for (const answer of inFlight) answer.shouldKeepAlive = false;
      // Do not call the HTTP server's own `close`: it ends idle connections at once.
      const closed = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
      lingering = true;
      await untilLingered(server, atOnce);
      lingering = false;
      server.closeIdleConnections();
      if (inFlight.size > 0) {
        log.info({ inFlight: inFlight.size }, 'waiting for calls that are being answered');
        await idleWithin(config.shutdownGraceSeconds * 1_000, atOnce);
        http.endCalls();
        await idleWithin(lastWordsMs);
      }
      await http.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Waits until all connections are closed, for `lingerMs` at most. */
async function untilLingered(server: Server, cut: AbortSignal): Promise<void> {
  if (cut.aborted || (await countConnections(server)) === 0) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, lingerMs);
    cut.addEventListener('abort', () => resolve(), { once: true });
    server.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

function start(server: Server, { httpHost, httpPort }: Pick<Config, 'httpHost' | 'httpPort'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE'
          ? `Port ${httpPort} is taken. Choose another with --port, or end the program that has it.`
          : 'This address cannot be listened on. Choose another with --host, or a port above 1023 with --port.';
      reject(unavailable(why, { cause: error }));
    });
    server.listen(httpPort, httpHost, resolve);
  });
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function problemBody(status: number, detail: string): string {
  return JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail, code: 'invalid_input' });
}

/**
 * Whether an absolute request target names another host than the Host header. RFC 9112, 3.2.2 lets the target win; this
 * server requires both to agree.
 */
function namesAnotherHost({ url = '', headers }: IncomingMessage): boolean {
  if (!/^https?:/i.test(url)) return false;
  const [asked, named] = [url, `http://${headers.host ?? ''}`].map((address) => URL.parse(address)?.host);
  return asked === undefined || asked !== named;
}

/** Refuses a request before routing. It closes the connection instead of waiting for the rest of the request. */
function refuse(outgoing: ServerResponse, status: number, detail: string): void {
  outgoing.writeHead(status, { 'Content-Type': 'application/problem+json', Connection: 'close' });
  outgoing.end(problemBody(status, detail));
}

function problemResponse(status: number, detail: string): Response {
  return new Response(problemBody(status, detail), {
    status,
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' },
  });
}

const malformed: Readonly<Record<string, [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `The headers are larger than ${maxHeaderBytes} bytes.`],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

function late(): NodeJS.ErrnoException {
  return Object.assign(new Error('the request did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

/** Malformed HTTP never becomes a request: write the response straight to the socket and end the connection. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, detail] = malformed[error.code ?? ''] ?? [400, 'This is not a valid HTTP request.'];
  const body = problemBody(status, detail);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

type AnswerRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Maximum pipelined requests per connection. Hardly any client pipelines at all. */
const maxWaiting = 16;

/**
 * Handles the requests of each connection one after the other. HTTP/1.1 lets a client send many requests without
 * waiting (pipelining) and wants the responses in order. Handled concurrently, all responses would stay in memory until
 * the client takes the first one.
 */
function oneAtATime(answer: AnswerRequest): AnswerRequest {
  const waitingOf = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();

  const run: AnswerRequest = (incoming, outgoing) => {
    const { socket } = incoming;
    outgoing.once('close', () => {
      const next = socket.destroyed ? undefined : waitingOf.get(socket)?.shift();
      if (next === undefined) waitingOf.delete(socket);
      else run(...next);
    });
    answer(incoming, outgoing);
  };

  return (incoming, outgoing) => {
    const { socket } = incoming;
    const waiting = waitingOf.get(socket);
    if (waiting === undefined) {
      waitingOf.set(socket, []);
      run(incoming, outgoing);
    } else if (waiting.length < maxWaiting) waiting.push([incoming, outgoing]);
    else socket.destroy();
  };
}
