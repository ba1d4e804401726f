import { type Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type JSONRPCMessage, parseJSONRPCMessage, type RequestId, type Transport } from '@modelcontextprotocol/server';
import { maxPushedCharacters } from '../domain/records/pushed-content.ts';
import { AppError } from '../errors.ts';
import { JsonBytes, parseJsonBytes } from '../requests/json-bytes.ts';
import type { RequestThread } from '../requests/request-thread.ts';
import { largePlaces, type McpParts } from './mcp-parts.ts';
import { lenientMessage, wrongParams } from './lenient-input.ts';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from './server.ts';

/**
 * Maximum message size in bytes. It fits the longest text that `save_content` takes, and the rest of the message. A
 * character takes three bytes at most, or two when JSON escapes it with a backslash.
 */
const maxMessageBytes = 3 * maxPushedCharacters + 1024 * 1024;
/**
 * Reading stops while the client has left this many characters of responses unread. One response has 2.5 MB at most.
 */
const maxUnsentCharacters = 8 * 2 ** 20;
/** Maximum concurrent calls; later calls are not read from the stream until one ends. */
const maxRunningCalls = 64;
/** Messages started per turn of the event loop: one chunk of the stream may hold hundreds. */
const maxPerTurn = 16;
const newline = 0x0a;

/** Error codes of JSON-RPC 2.0. */
const parseError = -32_700;
const invalidRequest = -32_600;
const invalidParams = -32_602;

/**
 * MCP's stdio transport: one JSON message per line. The SDK's own transport sends no response to a line it cannot
 * parse, so a client whose request has a mistake waits for ever; this one responds with an error. It also stops reading
 * when it cannot keep up: a client that sends without reading is slowed down, and no message is lost.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #over: () => void;
  readonly #requests: () => Promise<Pick<RequestThread, 'parse'>>;
  /** The line being read; null while the rest of a refused line is skipped. */
  #line: JsonBytes | null = newLine();
  /** Running calls by id. Ids should be unique, but a hostile client may repeat them. */
  readonly #running = new Map<RequestId, number>();
  #runningCalls = 0;
  #onRoom: () => void = () => undefined;
  #closed = false;

  /**
   * @param requests parses large messages; requested when the first one arrives
   * @param over called when the transport closes, for whatever reason
   */
  constructor(
    input: Readable,
    output: Writable,
    requests: () => Promise<Pick<RequestThread, 'parse'>>,
    over: () => void,
  ) {
    this.#input = input;
    this.#output = output;
    this.#requests = requests;
    this.#over = over;
  }

  async start(): Promise<void> {
    void this.#readAll();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('this connection is closed'));
    if (!('method' in message) && message.id !== undefined) this.#endCall(message.id);
    return new Promise((resolve, reject) => this.#write(message, (error) => (error ? reject(error) : resolve())));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#line = null;
    this.#onRoom();
    this.#input.destroy();
    this.#over();
    this.onclose?.();
  }

  async #readAll(): Promise<void> {
    try {
      // Nothing is read while a chunk is being processed: this slows down a client that sends too fast.
      for await (const chunk of this.#input as AsyncIterable<Buffer>) {
        await this.#readChunk(chunk);
        if (this.#closed) return;
      }
    } catch (error) {
      if (!this.#closed) this.onerror?.(error as Error);
    }
    await this.close();
  }

  async #readChunk(chunk: Buffer): Promise<void> {
    let begin = 0;
    let taken = 0;
    while (begin < chunk.length && !this.#closed) {
      const end = chunk.indexOf(newline, begin);
      this.#add(chunk.subarray(begin, end === -1 ? chunk.length : end));
      if (end === -1) return;
      begin = end + 1;
      const line = this.#line;
      this.#line = newLine();
      if (line !== null && line.size > 0) await this.#take(line);
      await this.#untilRoom();
      taken += 1;
      if (taken % maxPerTurn === 0) await nextTurn();
    }
  }

  #add(piece: Buffer): void {
    const line = this.#line;
    if (line === null) return;
    try {
      line.add(piece);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // The id usually stands at the start of a message. The rest is never read.
      const start = Buffer.concat([line.take().subarray(0, maxStartBytes), piece.subarray(0, maxStartBytes)]);
      this.#line = null;
      this.#refuse(idAtStart(start), invalidRequest, forLines(error));
    }
  }

  async #take(line: JsonBytes): Promise<void> {
    const start = line.take().slice(0, maxStartBytes);
    if (line.size <= maxStartBytes && Buffer.from(start).toString('latin1').trim() === '') return;
    let said: unknown;
    try {
      said = line.isLarge ? await (await this.#requests()).parse(line, largePlaces) : parseJsonBytes(line.take());
    } catch (error) {
      if (line.isLarge && error instanceof AppError) this.#refuse(idAtStart(start), invalidRequest, error.message);
      else this.#refuse(null, parseError, 'This line is not JSON in UTF-8: send one JSON message per line.');
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(lenientMessage(said));
    } catch {
      const id = idToAnswer(said);
      if (id !== undefined) this.#refuse(id, invalidRequest, 'This is not a valid JSON-RPC message of MCP.');
      else this.onerror?.(new Error('a message that wants no answer was not valid'));
      return;
    }
    const wrong = 'id' in message ? wrongParams(message) : null;
    if (wrong !== null && 'id' in message) {
      this.#refuse(message.id ?? null, invalidParams, wrong);
      return;
    }
    this.#count(message);
    this.onmessage?.(message);
  }

  #count(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) {
      this.#running.set(message.id, (this.#running.get(message.id) ?? 0) + 1);
      this.#runningCalls += 1;
    } else if (message.method === 'notifications/cancelled') {
      // A cancelled call gets no response, so it ends here.
      const id: unknown = message.params?.['requestId'];
      if (typeof id === 'string' || typeof id === 'number') this.#endCall(id);
    }
  }

  #endCall(id: RequestId): void {
    const count = this.#running.get(id) ?? 0;
    if (count === 0) return;
    if (count === 1) this.#running.delete(id);
    else this.#running.set(id, count - 1);
    this.#runningCalls -= 1;
    this.#onRoom();
  }

  async #untilRoom(): Promise<void> {
    while (
      !this.#closed &&
      (this.#runningCalls >= maxRunningCalls || this.#output.writableLength >= maxUnsentCharacters)
    ) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve;
      });
    }
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    // Written directly, because the SDK's type allows no null id. JSON-RPC requires null when no id could be read.
    this.#write({ jsonrpc: '2.0', id, error: { code, message } }, () => undefined);
    this.onerror?.(new Error(message));
  }

  #write(message: object, done: (error: Error | null | undefined) => void): void {
    this.#output.write(`${JSON.stringify(message)}\n`, (error) => {
      done(error);
      this.#onRoom();
    });
  }
}

function newLine(): JsonBytes {
  return new JsonBytes({ maxBytes: maxMessageBytes, takesLargeValues: true });
}

function forLines({ code, message }: AppError): string {
  return code === 'payload_too_large'
    ? `A message may have at most ${Math.floor(maxMessageBytes / 2 ** 20)} MB, and the text in it at most 10 million characters. Send a shorter text, or save the address alone.`
    : message;
}

/**
 * The id for the error response to an invalid message: null when it is unknown; undefined for a notification or a
 * response, which get no error.
 */
function idToAnswer(said: unknown): string | number | null | undefined {
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return null;
  if ('result' in said || 'error' in said) return undefined;
  const id = 'id' in said ? said.id : undefined;
  if (typeof id === 'string' || typeof id === 'number') return id;
  // A message with a method and no id is a notification. If the id has an invalid type, the sender's id is unknown.
  return id === undefined && 'method' in said ? undefined : null;
}

/** How much of a message is searched for its id. */
const maxStartBytes = 1_024;

/**
 * Finds the id of a JSON-RPC message of which only the start is known, because the rest was refused while being read.
 * Returns null when the start holds no id. Clients write the id before long values.
 */
function idAtStart(bytes: Uint8Array): string | number | null {
  const text = Buffer.from(bytes.subarray(0, maxStartBytes)).toString('utf8');
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const sign = text[at];
    if (sign === '"') {
      const end = endOfString(text, at);
      if (end === -1) return null;
      if (depth === 1 && text.slice(at, end) === '"id"') {
        const value = valueAfterColon(text, end);
        if (value !== undefined) return value;
      }
      at = end;
      continue;
    }
    if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    at += 1;
  }
  return null;
}

/** The index after the closing quotation mark; -1 when there is none. */
function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return -1;
}

/**
 * The id after the colon: null when it is cut off or neither a string nor a number; undefined when no colon follows.
 */
function valueAfterColon(text: string, from: number): string | number | null | undefined {
  const behindName = text.slice(from).trimStart();
  if (!behindName.startsWith(':')) return undefined;
  const value = behindName.slice(1).trimStart();
  const end = value.startsWith('"') ? endOfString(value, 0) : value.search(/[,}\s]/);
  if (end === -1) return null;
  try {
    const id: unknown = JSON.parse(value.slice(0, end));
    return typeof id === 'string' || typeof id === 'number' ? id : null;
  } catch {
    return null;
  }
}

interface StdioStreams {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/**
 * Keeps stdout for the protocol alone: everything else that this process or its worker threads write to stdout goes to
 * stderr from now on.
 * @param written called after each write to stdout
 * @returns the stream that still writes to stdout
 */
export function reserveStdout({ stdout, stderr }: StdioStreams, written: () => void): Writable {
  const write = stdout.write.bind(stdout);
  const protocol = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      write(chunk, (error) => {
        done(error);
        written();
      });
    },
  });
  stdout.on('error', (error) => protocol.destroy(error));
  stdout.write = stderr.write.bind(stderr);
  return protocol;
}

/**
 * Serves MCP over stdio, for both protocol generations, until the client goes away (end of stdin, a broken pipe) or
 * `signal` is aborted. Calls in flight are then aborted.
 * @param answered called after every message to the client
 */
export async function serveMcpOverStdio(
  parts: McpParts & { requests: () => Promise<Pick<RequestThread, 'parse'>> },
  streams: StdioStreams,
  signal: AbortSignal,
  answered: () => void = () => undefined,
): Promise<void> {
  const protocol = reserveStdout(streams, answered);
  const gone = Promise.withResolvers<void>();
  for (const event of ['close', 'error'] as const) protocol.once(event, () => gone.resolve());
  signal.addEventListener('abort', () => gone.resolve(), { once: true });

  const transport = new LineTransport(streams.stdin, protocol, parts.requests, gone.resolve);
  const handle = serveStdio(() => createMcpServer(parts), {
    transport,
    onerror: (error) => parts.log.warn({ err: error }, 'a message could not be handled'),
  });
  if (!signal.aborted) await gone.promise;
  await handle.close();
}
