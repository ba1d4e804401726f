import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isInitializeRequest,
  isJsonContentType,
  type McpServer,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { Caller } from '../domain/records/account.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../workers/log.ts';
import { operations } from '../operations/index.ts';
import type { JsonBytes, JsonBytesLimits } from '../requests/json-bytes.ts';
import type { RequestThread } from '../requests/request-thread.ts';
import { largePlaces, maySendLarge } from './mcp-parts.ts';
import { lenientMessage, wrongParams } from './lenient-input.ts';

interface McpEndpointParts {
  /** Builds the MCP server for one request. Nothing is kept between requests, so clients do not notice a restart. */
  buildServer: (caller: Caller) => McpServer;
  /** Whether a web page of this origin may call, given the Host header of its request. Only browsers send an origin. */
  isAllowedOrigin: (origin: string, host: string) => boolean;
  /** Parses messages that are too large for the main thread. */
  requests: Pick<RequestThread, 'parse'>;
  /** Called when a client begins, in either generation of the protocol. */
  greeted: (caller: Caller) => void;
  log: Log;
}

/** Reads the body within these limits and those of the server. */
type ReadBody = (limits: JsonBytesLimits) => Promise<JsonBytes>;

interface McpEndpoint {
  /**
   * Handles one request of an authenticated caller. Refusals are JSON-RPC errors.
   * @param readBody reads the body of this request
   * @throws {AppError} `rate_limited` and `cancelled`, as `readBody` throws them
   */
  handle(request: Request, caller: Caller, readBody: ReadBody): Promise<Response>;
  /** Tells streaming clients of protocol 2026-07-28 that the server is closing, and aborts the calls they wait for. */
  close(): Promise<void>;
}

/** Maximum message size for callers without large inputs; the main thread parses these messages. */
const standardBodyBytes = 2 ** 20;
/**
 * How much text grows inside JSON: quotes and line ends double in size, and text escaped as ASCII rarely grows by more.
 */
const growthInJson = 2;

/** The error codes of JSON-RPC 2.0, and the first code reserved for servers. */
const rpcCodes = { parse: -32_700, invalid: -32_600, params: -32_602, internal: -32_603, refused: -32_000 } as const;

/**
 * MCP over streamable HTTP, stateless, for both protocol generations: 2025-11-25 and older, which begin with
 * `initialize`, and 2026-07-28, with independent requests.
 *
 * Clients of the older protocols get a session id, because some do not run several calls at once without one. The
 * server never checks it, so an id stays usable after a restart and on another process.
 */
export function createMcpEndpoint(parts: McpEndpointParts): McpEndpoint {
  const { buildServer, isAllowedOrigin, requests, greeted, log } = parts;
  // The SDK passes this exact request object to the factory, so the caller is looked up by it. Nothing else can see the
  // caller.
  const callers = new WeakMap<Request, Caller>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo && callers.get(requestInfo);
      if (caller === undefined) throw new Error('a request reached MCP without its caller');
      return buildServer(caller);
    },
    { onerror: (error) => log.debug({ err: error }, 'an MCP request was refused') },
  );

  return {
    async handle(request, caller, readBody) {
      const refusal = refuseHead(request, isAllowedOrigin);
      if (refusal !== null) return refusal;
      const body = await readMessage(caller, readBody, requests);
      if (body instanceof Response) return body;
      const message = lenientMessage(body.message);
      const wrong = wrongParams(message);
      if (wrong !== null) return refuse(200, rpcCodes.params, wrong, {}, idOf(message));
      if (isGreeting(message)) greeted(caller);
      const readable = withStreamsAccepted(request, isOfFuture(request, message) ? [versionHeader] : []);
      callers.set(readable, caller);
      try {
        const answer = await handler.fetch(readable, { parsedBody: message });
        const response = wantedResponse(request.headers.get('accept')) === 'json' ? await asJson(answer) : answer;
        if (isInitializeRequest(message)) response.headers.set('mcp-session-id', randomUUID());
        return response;
      } catch (error) {
        log.error({ err: error }, 'an MCP request failed');
        return refuse(500, rpcCodes.internal, 'Something went wrong inside Commonplace. Try again.');
      }
    },
    close: () => handler.close(),
  };
}

const versionHeader = 'mcp-protocol-version';

/**
 * Whether a client names a version in the header that this server does not know yet, before one was agreed on. The
 * message names it as well, and is answered with a version that both know.
 */
function isOfFuture({ headers }: Request, message: unknown): boolean {
  const version = headers.get(versionHeader);
  return version !== null && isInitializeRequest(message) && !SUPPORTED_PROTOCOL_VERSIONS.includes(version);
}

function idOf(message: unknown): string | number | null {
  const { id } = message as { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function isGreeting(message: unknown): boolean {
  if (isInitializeRequest(message)) return true;
  return typeof message === 'object' && message !== null && 'method' in message && message.method === 'server/discover';
}

/** Refuses a request by its headers, before the body is read. */
function refuseHead(request: Request, isAllowedOrigin: McpEndpointParts['isAllowedOrigin']): Response | null {
  const { headers, method } = request;
  // With DNS rebinding, a web page still sends its own origin.
  const origin = headers.get('origin');
  if (origin !== null && !isAllowedOrigin(origin, headers.get('host') ?? '')) {
    return refuse(
      403,
      rpcCodes.refused,
      'Pages of this origin may not call this server. Its operator can add the origin to corsOrigins.',
    );
  }
  if (method !== 'POST') {
    return refuse(405, rpcCodes.refused, 'There are no sessions here: POST is the only method.', { allow: 'POST' });
  }
  if (!isJsonContentType(headers.get('content-type')) || headers.has('content-encoding')) {
    return refuse(415, rpcCodes.refused, 'Send JSON, not compressed: Content-Type must be application/json.');
  }
  if (wantedResponse(headers.get('accept')) === null) {
    return refuse(406, rpcCodes.refused, 'Send the header `Accept: application/json, text/event-stream`.');
  }
  return null;
}

/** The limits for the largest call that this caller may make. MCP takes text as large as REST does. */
function bodyLimits(caller: Caller): JsonBytesLimits {
  if (!maySendLarge(caller)) return { maxBytes: standardBodyBytes, takesLargeValues: false };
  const sizes = operations.map(({ http }) => http?.maxBodyBytes ?? 0);
  return { maxBytes: growthInJson * Math.max(...sizes), takesLargeValues: true };
}

function tooLarge(maxBytes: number): string {
  const limit = `A message may have at most ${maxBytes / 2 ** 20} MB`;
  // A caller that may not save cannot send large text.
  if (maxBytes === standardBodyBytes) return `${limit} with this token.`;
  return `${limit} here, and text that it hands over at most 10 MB. Send a shorter text, or save the address alone.`;
}

/** @throws {AppError} `rate_limited` and `cancelled`, as `readBody` does */
async function readMessage(
  caller: Caller,
  readBody: ReadBody,
  requests: Pick<RequestThread, 'parse'>,
): Promise<Response | { message: unknown }> {
  const limits = bodyLimits(caller);
  let json: JsonBytes;
  try {
    json = await readBody(limits);
  } catch (error) {
    // Close the connection instead of waiting for the rest of the body.
    const close = { connection: 'close' };
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'payload_too_large') return refuse(413, rpcCodes.refused, tooLarge(limits.maxBytes), close);
    if (error.code === 'invalid_input') return refuse(400, rpcCodes.invalid, error.message, close);
    throw error;
  }
  let message: unknown;
  try {
    message = await requests.parse(json, largePlaces);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
    return refuse(400, json.isLarge ? rpcCodes.invalid : rpcCodes.parse, error.message);
  }
  // Each request holds one message, and the rate limit counts it as one. Protocols after 2025-03-26 have no batches.
  if (Array.isArray(message)) {
    return refuse(400, rpcCodes.invalid, 'Batches are not supported: send one message per request.');
  }
  return { message };
}

function refuse(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
  id: string | number | null = null,
): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status, headers });
}

const json = 'application/json';
const stream = 'text/event-stream';

/** The media ranges of an Accept header in lower case, without their parameters and without those of quality 0. */
function acceptedRanges(accept: string): string[] {
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter((parts) => !parts.some((part) => /^q\s*=\s*0(\.0*)?$/.test(part)))
    .map(([type = '']) => type);
}

/**
 * How a client wants its responses: the protocol requires both types by name. This server also accepts wildcards, which
 * general HTTP clients send, a missing header (RFC 9110, 12.5.1), and JSON alone. Null: it takes no JSON.
 */
function wantedResponse(accept: string | null): 'stream' | 'json' | null {
  const ranges = acceptedRanges(accept ?? '*/*');
  const takes = (type: string) =>
    ranges.some((range) => range === type || range === '*/*' || range === `${type.split('/')[0]}/*`);
  if (!takes(json)) return null;
  return takes(stream) ? 'stream' : 'json';
}

/**
 * A request with both types in its Accept header, because the SDK requires both, and with only those of the given headers that it
 * should see. It has no body: the body has already been read.
 */
function withStreamsAccepted(request: Request, leftOut: readonly string[] = []): Request {
  const headers = new Headers(request.headers);
  headers.set('accept', `${json}, ${stream}`);
  for (const name of leftOut) headers.delete(name);
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

/** The last message of a stream, which answers the request, as JSON. The messages before it report progress. */
export async function asJson(response: Response): Promise<Response> {
  if (response.headers.get('content-type')?.startsWith(stream) !== true) return response;
  const events = (await response.text()).split(/\r?\n/);
  const last = events.findLast((line) => line.startsWith('data:') && line.length > 'data: '.length);
  const headers = new Headers(response.headers);
  headers.set('content-type', json);
  return new Response(last?.slice('data:'.length).trim() ?? null, { status: response.status, headers });
}
