import type { Readable } from 'node:stream';
import { type Place, SharedPlaces } from '../domain/turns/shared-places.ts';
import { ProcessingError } from '../errors.ts';
import { decompress } from './decompress.ts';
import { tooLarge } from './failures.ts';
import type { TimeLimit } from './time-limit.ts';

/** Bodies up to this size, as sent and after decompression, are read without a place. Nine pages in ten are smaller. */
const maxSmallBytes = 2 * 1024 * 1024;
/** Of larger ones; one is always left to another account. */
const places = { total: 3, reserved: 1 };

interface Reader {
  readonly accountId: string;
  readonly limit: TimeLimit;
  readonly signal: AbortSignal;
}

/**
 * Reads the bodies of answers. Many requests run at once, and each may bring as much as one item may have: few large bodies are in
 * memory at once, and the others are left with the network until there is a place.
 */
export class LargeBodies {
  readonly #maxBytes: number;
  readonly #places = new SharedPlaces(places);

  /** @param maxBytes of one body, as sent and after decompression */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws {ProcessingError} `too_large`, `http_error`; and as the stream does. Aborting rejects with the signal's reason. */
  async read(body: Readable, contentEncoding: string, reader: Reader): Promise<Uint8Array> {
    let place: Place | null = null;
    const wait = async (): Promise<void> => {
      place ??= await reader.limit.without(() => this.#places.take(reader.accountId, reader.signal));
    };
    try {
      const sent = await this.#readSent(body, wait);
      // What is sent small may become large.
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
      (place as Place | null)?.leave();
    }
  }

  async #readSent(body: Readable, wait: () => Promise<void>): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      length += chunk.byteLength;
      // Leaving the loop destroys the body and with it the connection.
      if (length > this.#maxBytes) throw tooLarge(this.#maxBytes);
      chunks.push(chunk);
      if (length > maxSmallBytes) await wait();
    }
    return Buffer.concat(chunks);
  }
}
