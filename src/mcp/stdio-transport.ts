import type { Readable, Writable } from 'node:stream';
import { parseJSONRPCMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { mostPushedCharacters } from '../domain/pushed-content.ts';

/**
 * The longest message that is taken, in bytes: the longest text that `save_content` takes, whose characters are three
 * bytes at most, or two where JSON escapes them by a backslash, and room for the rest of the message.
 */
const maxMessageBytes = 3 * mostPushedCharacters + 1024 * 1024;
const newline = 0x0a;

/** JSON-RPC 2.0's own codes. */
const parseError = -32_700;
const invalidRequest = -32_600;

/**
 * MCP's stdio transport: one JSON message per line. The SDK's own leaves lines that it cannot read without an
 * answer, so that whoever sent a request with a mistake in it waits for ever; here it is told.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  #unfinished: Buffer[] = [];
  #unfinishedBytes = 0;
  #closed = false;

  readonly #over: () => void;

  /** @param over told when it is closed, for whatever reason */
  constructor(input: Readable, output: Writable, over: () => void) {
    this.#input = input;
    this.#output = output;
    this.#over = over;
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#read);
    this.#input.on('error', this.#fail);
    this.#input.on('end', this.#end);
    this.#input.on('close', this.#end);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('this connection is closed'));
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.off('data', this.#read);
    this.#input.off('error', this.#fail);
    this.#input.off('end', this.#end);
    this.#input.off('close', this.#end);
    this.#input.pause();
    this.#unfinished = [];
    this.#over();
    this.onclose?.();
  }

  readonly #end = (): void => void this.close();
  readonly #fail = (error: Error): void => this.onerror?.(error);

  readonly #read = (chunk: Buffer): void => {
    let begin = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, begin)) {
      const line = Buffer.concat([...this.#unfinished, chunk.subarray(begin, end)]);
      this.#unfinished = [];
      this.#unfinishedBytes = 0;
      begin = end + 1;
      if (line.length > maxMessageBytes) this.#giveUp();
      else this.#take(line);
      if (this.#closed) return;
    }
    const rest = chunk.subarray(begin);
    this.#unfinished.push(rest);
    this.#unfinishedBytes += rest.length;
    if (this.#unfinishedBytes > maxMessageBytes) this.#giveUp();
  };

  /** Ends the connection: who sends such a message waits for an answer that cannot come. */
  #giveUp(): void {
    this.onerror?.(new Error(`a message is longer than ${maxMessageBytes} bytes`));
    void this.close();
  }

  #take(line: Buffer): void {
    const text = line.toString('utf8').trim();
    if (text === '') return;
    let said: unknown;
    try {
      said = JSON.parse(text);
    } catch {
      this.#refuse(null, parseError, 'This line is not JSON: send one JSON message per line.');
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
    this.onmessage?.(message);
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    // The SDK's type of an error knows no id of null, which JSON-RPC prescribes where none could be read.
    const answer = { jsonrpc: '2.0', id, error: { code, message } };
    this.#output.write(`${JSON.stringify(answer)}\n`);
    this.onerror?.(new Error(message));
  }
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
