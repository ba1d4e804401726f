import { randomUUID } from 'node:crypto';
import { createMcpHandler, isInitializeRequest, isJsonContentType, type McpServer } from '@modelcontextprotocol/server';
import type { Caller } from '../domain/records/account.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import { operations } from '../operations/index.ts';
import type { JsonBytes, JsonBytesLimits } from '../requests/json-bytes.ts';
import type { RequestThread } from '../requests/request-thread.ts';
import { acceptsStreams, withStreamsAccepted } from './accept.ts';
import { largePlaces, maySendLarge } from './large-inputs.ts';

export interface McpEndpointParts {
  /** Builds the server of one request: nothing is kept between two, so a restart between them goes unnoticed. */
  buildServer: (caller: Caller) => McpServer;
  /** Whether a page of this origin may call, by the name under which it did; callers that are no browsers send none. */
  isAllowedOrigin: (origin: string, host: string) => boolean;
  /** Parses what is too large for this thread. */
  requests: Pick<RequestThread, 'parse'>;
  log: Log;
}

/** Collects a body within these limits, and those of the server. */
type ReadBody = (limits: JsonBytesLimits) => Promise<JsonBytes>;

export interface McpEndpoint {
  /**
   * Answers one request of a caller who has shown who it is. Refusals are JSON-RPC errors.
   * @param readBody collects the body of this request
   * @throws {AppError} what `readBody` throws when the body did not come whole, or may not come now
   */
  handle(request: Request, caller: Caller, readBody: ReadBody): Promise<Response>;
  /** Tells streaming clients of protocol 2026-07-28 that it is over and aborts what they wait for. */
  close(): Promise<void>;
}

/** Without large inputs: what the main thread parses. */
const standardBodyBytes = 2 ** 20;
/** Inside JSON a text grows: quotes and line ends to twice their size, what is escaped as ASCII to no more than that mostly. */
const growthInJson = 2;

/** JSON-RPC 2.0's codes, and the first of those it leaves to servers. */
const rpcCodes = { parse: -32_700, invalid: -32_600, internal: -32_603, refused: -32_000 } as const;

/**
 * MCP over streamable HTTP, stateless, for both protocol eras: `initialize` and later calls of 2025-11-25 and
 * older, and 2026-07-28, whose every request stands alone.
 *
 * Clients of the older protocols are given a session id, because some will not run several calls at once without
 * one. It is never asked for again: any is as good as none, on this process or the next.
 */
export function createMcpEndpoint(parts: McpEndpointParts): McpEndpoint {
  const { buildServer, isAllowedOrigin, requests, log } = parts;
  // The SDK hands its factory the very request that it was given; who sent it is nobody else's to know.
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
      const readable = withStreamsAccepted(request);
      callers.set(readable, caller);
      try {
        const response = await handler.fetch(readable, { parsedBody: body.message });
        if (isInitializeRequest(body.message)) response.headers.set('mcp-session-id', randomUUID());
        return response;
      } catch (error) {
        log.error({ err: error }, 'an MCP request failed');
        return refuse(500, rpcCodes.internal, 'Something went wrong inside Commonplace. Try again.');
      }
    },
    close: () => handler.close(),
  };
}

/** Refuses by what the headers say, before anything is read. */
function refuseHead(request: Request, isAllowedOrigin: McpEndpointParts['isAllowedOrigin']): Response | null {
  const { headers, method } = request;
  // A page that rebinds its name to this address still sends its own origin.
  const origin = headers.get('origin');
  if (origin !== null && !isAllowedOrigin(origin, headers.get('host') ?? '')) {
    return refuse(403, rpcCodes.refused, 'Pages of this origin may not call: the operator has not allowed it.');
  }
  if (method !== 'POST') {
    return refuse(405, rpcCodes.refused, 'There are no sessions here: POST is the only method.', { allow: 'POST' });
  }
  if (!isJsonContentType(headers.get('content-type')) || headers.has('content-encoding')) {
    return refuse(415, rpcCodes.refused, 'Send JSON, not compressed: Content-Type must be application/json.');
  }
  if (!acceptsStreams(headers.get('accept'))) {
    return refuse(406, rpcCodes.refused, 'Send the header `Accept: application/json, text/event-stream`.');
  }
  return null;
}

/** What the largest call that this caller may make needs: text is handed over here as it is over REST. */
function bodyLimits(caller: Caller): JsonBytesLimits {
  if (!maySendLarge(caller)) return { maxBytes: standardBodyBytes, takesLargeValues: false };
  const sizes = operations.map(({ http }) => http?.maxBodyBytes ?? 0);
  return { maxBytes: growthInJson * Math.max(...sizes), takesLargeValues: true };
}

function tooLarge(maxBytes: number): string {
  const most = `A message may have at most ${maxBytes / 2 ** 20} MB`;
  // Who may not save hands no text over.
  if (maxBytes === standardBodyBytes) return `${most} with this token.`;
  return `${most} here, and what it hands over as text at most 10 MB. Send a shorter text, or save the address alone.`;
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
    // What is still on its way is not waited for.
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
  // One request is one message, and is counted as one. No protocol after 2025-03-26 has batches.
  if (Array.isArray(message)) {
    return refuse(400, rpcCodes.invalid, 'Batches are not supported: send one message per request.');
  }
  return { message };
}

function refuse(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status, headers });
}
