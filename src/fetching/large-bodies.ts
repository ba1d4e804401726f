import type { Readable } from 'node:stream';
import { type HeldPlace, SharedPlaces } from '../domain/turns/shared-places.ts';
import { ProcessingError } from '../errors.ts';
import { decompress } from './decompress.ts';
import { tooLarge } from './fetch-failures.ts';
import type { TimeLimit } from './time-limit.ts';

/** Bodies up to this size, as sent and after decompression, need no place. Nine out of ten pages are smaller. */
const maxSmallBytes = 2 * 1024 * 1024;
/** How many larger bodies are read at once. One place is always left for another account. */
const places = { total: 3, reserved: 1 };

interface Reader {
  readonly accountId: string;
  readonly limit: TimeLimit;
  readonly signal: AbortSignal;
}

/**
 * Reads response bodies. Many requests run at once, and each body may be as large as one item may be. So only a few
 * large bodies are held in memory at once; the others stay unread in the network until a place is free.
 */
export class LargeBodies {
  readonly #maxBytes: number;
  readonly #places = new SharedPlaces(places);

  /** @param maxBytes limit for one body, as sent and after decompression */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * @throws {ProcessingError} `too_large`, `http_error`; also the errors of the stream. Aborting rejects with the
   * signal's reason.
   */
  async read(body: Readable, contentEncoding: string, reader: Reader): Promise<Uint8Array> {
    let place: HeldPlace | null = null;
    const wait = async (): Promise<void> => {
      place ??= await reader.limit.without(() => this.#places.take(reader.accountId, reader.signal));
    };
    try {
      const sent = await this.#readSent(body, wait);
      // A small compressed body may become large.
      const small = Math.min(maxSmallBytes, this.#maxBytes);
      if (place === null && contentEncoding !== '' && small < this.#maxBytes) {
        const bytes = await decompress(sent, contentEncoding, small).catch((error: unknown) => {
          if (error instanceof ProcessingError && error.code === 'too_large') return null;
          throw error;
        });
        if (bytes !== null) return bytes;
        await wait();
      }
      return await decompress(sent, contentEncoding, this.#maxBytes);
    } finally {
      (place as HeldPlace | null)?.leave();
    }
  }

  async #readSent(body: Readable, wait: () => Promise<void>): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      length += chunk.byteLength;
      // Throwing inside the loop destroys the body and so closes the connection.
      if (length > this.#maxBytes) throw tooLarge(this.#maxBytes);
      chunks.push(chunk);
      if (length > maxSmallBytes) await wait();
    }
    return Buffer.concat(chunks);
  }
}
