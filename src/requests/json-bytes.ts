import { JsonCheck } from '../domain/json/json-check.ts';
import { AppError, invalidInput } from '../errors.ts';

/** Largest text that the main thread parses itself: a millisecond or two of work. */
const maxPlainBytes = 2 ** 20;
/**
 * Maximum number of keys and values together. The largest call without pushed text, an analysis of a book, has some
 * hundreds.
 */
const maxPlainValues = 5_000;
/** The same for text that a worker thread parses: 200,000 captions have 7 keys and values each. */
const maxLargeValues = 1_500_000;
/**
 * The deepest input of an operation has 8 levels inside its message. The rest allows for what clients put into `_meta`.
 */
const maxDepth = 32;
const firstCapacity = 4_096;

export interface JsonBytesLimits {
  maxBytes: number;
  /** Whether some values may be too large for the main thread; a worker thread then parses the text. */
  takesLargeValues: boolean;
}

/**
 * Collects the bytes of one JSON text and refuses the text as soon as it exceeds a limit, without waiting for the rest.
 */
export class JsonBytes {
  readonly #limits: JsonBytesLimits;
  readonly #check = new JsonCheck();
  // Chunks are copied into one buffer: chunks of one byte would take a hundred times their size as separate objects.
  #buffer: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #size = 0;

  constructor(limits: JsonBytesLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * @throws {AppError} `payload_too_large`, or `invalid_input` for JSON that is nested too deeply or has too many
   * values
   */
  add(piece: Uint8Array): void {
    const { maxBytes, takesLargeValues } = this.#limits;
    const size = this.#size + piece.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    this.#check.add(piece);
    if (this.#check.deepest > maxDepth) {
      throw invalidInput(`The JSON is nested deeper than ${maxDepth} levels: send it flatter.`);
    }
    const maxValues = takesLargeValues ? maxLargeValues : maxPlainValues;
    if (this.#check.values > maxValues) {
      throw invalidInput(`The JSON has more than ${maxValues} keys and values: send fewer.`);
    }
    if (size > this.#buffer.length) this.#growTo(size, maxBytes);
    this.#buffer.set(piece, this.#size);
    this.#size = size;
  }

  /** Whether the text is too large to be parsed on the main thread. */
  get isLarge(): boolean {
    return this.#size > maxPlainBytes || this.#check.values > maxPlainValues;
  }

  /** The collected bytes. Nothing may be added afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#size);
  }

  #growTo(size: number, maxBytes: number): void {
    const capacity = Math.min(maxBytes, Math.max(size, 2 * this.#buffer.length, firstCapacity));
    const grown = new Uint8Array(capacity);
    grown.set(this.take());
    this.#buffer = grown;
  }
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError('payload_too_large', `The body is larger than ${maxBytes} bytes, the limit here: send less.`);
}

/** @throws {AppError} `invalid_input` when the bytes are not JSON in UTF-8 */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    // Fail on invalid UTF-8. Replacing it with U+FFFD would store text that was never sent.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw invalidInput('The body is not valid JSON in UTF-8.', { cause: error });
  }
}

/** Whether a text from which a worker thread has removed the large values may be parsed on the main thread. */
export function isPlain(bytes: Uint8Array): boolean {
  if (bytes.length > maxPlainBytes) return false;
  const check = new JsonCheck();
  check.add(bytes);
  return check.values <= maxPlainValues && check.deepest <= maxDepth;
}
