import type { Socket } from 'node:net';

/** Headers, certificates and the frames of a usual page take a tenth of this. */
const freeBytes = 1024 * 1024;
/** Lines sent one by one, each in its own chunk and TLS record, grow by less than half. */
const freeShare = 0.5;
/** Also looks at connections that deliver nothing to the HTTP client, such as endless TLS handshakes. */
const checkMs = 100;

/** The server sent much more around its content than the content itself. */
export class PaddedAnswerError extends Error {
  readonly code = 'PADDED_ANSWER';

  constructor() {
    super('the answer is padded');
    this.name = 'PaddedAnswerError';
  }
}

/**
 * True if bytes carry much less content than they should: headers without end, interim answers, tiny chunks and TLS
 * records, empty blocks of a compressed text. Each costs the time to parse it, and no limit of the content counts it.
 */
export function isPadded(received: number, content: number): boolean {
  return received - content > freeBytes + content * freeShare;
}

/**
 * Counts what comes over the connections of one fetch, at their sockets, and closes them when it carries too little.
 */
export class Wire {
  /** The TCP socket of each open connection, and the function that ends it with an error. */
  readonly #open = new Map<Socket, (error: Error) => void>();
  #closedBytes = 0;
  #content = 0;
  /** Bytes around the content of earlier answers. */
  #forgiven = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Counted from before the TLS handshake, as a server can send handshake messages endlessly. `fail` is called before closing. */
  count(tcp: Socket, fail: (error: Error) => void): void {
    this.#open.set(tcp, fail);
    this.#timer ??= setInterval(() => this.#check(), checkMs).unref();
    tcp.once('close', () => {
      this.#open.delete(tcp);
      this.#closedBytes += tcp.bytesRead;
      if (this.#open.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
  }

  /** Checks before each reading of a connection that is counted. */
  watch(tcp: Socket, socket: Socket): void {
    this.#open.set(tcp, (error) => socket.destroy(error));
    // Called before the listener of the HTTP client, which parses.
    socket.on('readable', () => this.#check());
  }

  /** Closes the connections, those in a TLS handshake as well, which no HTTP client knows yet. */
  close(): void {
    for (const tcp of this.#open.keys()) tcp.destroy();
  }

  noteContent(bytes: number): void {
    this.#content += bytes;
  }

  /** A new request begins on these connections: reset the overhead of earlier answers. */
  forgive(): void {
    this.#forgiven = this.#received() - this.#content;
  }

  #received(): number {
    let bytes = this.#closedBytes;
    for (const tcp of this.#open.keys()) bytes += tcp.bytesRead;
    return bytes;
  }

  #check(): void {
    if (!isPadded(this.#received() - this.#forgiven, this.#content)) return;
    for (const fail of this.#open.values()) fail(new PaddedAnswerError());
  }
}
