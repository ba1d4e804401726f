import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseJSONRPCMessage, type JSONRPCMessage, type RequestId, type Transport } from '@modelcontextprotocol/server';
import { maxPushedCharacters } from '../domain/records/pushed-content.ts';
import { AppError } from '../errors.ts';
import { JsonBytes, parseJsonBytes } from '../requests/json-bytes.ts';
import type { RequestThread } from '../requests/request-thread.ts';
import { idAtStart, maxStartBytes } from './id-at-start.ts';
import { largePlaces } from './large-inputs.ts';

/**
 * The longest message that is taken, in bytes: the longest text that `save_content` takes, whose characters are three
 * bytes at most, or two where JSON escapes them by a backslash, and room for the rest of the message.
 */
const maxMessageBytes = 3 * maxPushedCharacters + 1024 * 1024;
/** While so much of the answers is not read by the client, nothing more is read of what it says. An answer has 2.5 MB at most. */
const maxUnsentCharacters = 8 * 2 ** 20;
/** Calls that are answered at the same time; those behind them wait unread. */
const maxRunningCalls = 64;
/** Messages that are begun in one turn of the event loop: one chunk of the stream may hold hundreds. */
const maxPerTurn = 16;
const newline = 0x0a;

/** JSON-RPC 2.0's own codes. */
const parseError = -32_700;
const invalidRequest = -32_600;

/**
 * MCP's stdio transport: one JSON message per line. The SDK's own leaves lines that it cannot read without an
 * answer, so that whoever sent a request with a mistake in it waits for ever; here it is told. It also reads no more
 * than it can answer: a client that sends without reading is held up, and loses nothing.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #over: () => void;
  readonly #requests: () => Promise<Pick<RequestThread, 'parse'>>;
  /** The line that is being read; null when the rest of it is to be skipped. */
  #line: JsonBytes | null = newLine();
  /** How many calls of each id are being answered. Ids should differ; a hostile client repeats them. */
  readonly #running = new Map<RequestId, number>();
  #runningCalls = 0;
  #onRoom: () => void = () => undefined;
  #closed = false;

  /**
   * @param requests what parses large messages, asked for when the first one comes
   * @param over told when it is closed, for whatever reason
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
      // Nothing is read while a chunk is being worked on: that is what holds up a client.
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
      // Its id stands at its beginning mostly; the rest is never looked at.
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
      message = parseJSONRPCMessage(said);
    } catch {
      const id = idToAnswer(said);
      if (id !== undefined) this.#refuse(id, invalidRequest, 'This is not a valid JSON-RPC message of MCP.');
      else this.onerror?.(new Error('a message that wants no answer was not valid'));
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
      // A call that was cancelled is not answered.
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
    // The SDK's type of an error knows no id of null, which JSON-RPC prescribes where none could be read.
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
    ? `A message may have at most ${Math.floor(maxMessageBytes / 2 ** 20)} MB, and what it hands over as text 10 million characters. Send a shorter text, or save the address alone.`
    : message;
}

/** Whom to tell that a message is not valid; undefined for a notification or an answer, which get none. */
function idToAnswer(said: unknown): string | number | null | undefined {
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return null;
  if ('result' in said || 'error' in said) return undefined;
  const id = 'id' in said ? said.id : undefined;
  if (typeof id === 'string' || typeof id === 'number') return id;
  // Without an id it is a notification, if it is anything; with one that is none, nobody knows whose.
  return id === undefined && 'method' in said ? undefined : null;
}
