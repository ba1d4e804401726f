import { JsonCheck } from '../domain/json/json-check.ts';
import { AppError } from '../errors.ts';

/** What the main thread parses itself: a millisecond or two of work. */
const maxPlainBytes = 2 ** 20;
/** Keys and values together. The widest call without pushed text, an analysis of a book, has some hundreds. */
const maxPlainValues = 5_000;
/** For what a worker thread parses: 200,000 captions have 7 keys and values each. */
const maxLargeValues = 1_500_000;
/** The deepest input of an operation has 8 levels inside its message; the rest is for what clients put into `_meta`. */
const maxDepth = 32;
const firstCapacity = 4_096;

export interface JsonBytesLimits {
  maxBytes: number;
  /** Whether some of its values may be too large for the main thread; then a worker thread parses the text. */
  takesLargeValues: boolean;
}

/** Collects the bytes of one JSON text and refuses it as soon as it passes a limit, whatever is still to come. */
export class JsonBytes {
  readonly #limits: JsonBytesLimits;
  readonly #check = new JsonCheck();
  // Copied into one buffer: pieces of one byte would cost a hundred times their size as objects of their own.
  #buffer: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #size = 0;

  constructor(limits: JsonBytesLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  /** @throws {AppError} `payload_too_large`, or `invalid_input` for what is nested too deep or holds too much */
  add(piece: Uint8Array): void {
    const { maxBytes, takesLargeValues } = this.#limits;
    const size = this.#size + piece.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    this.#check.add(piece);
    if (this.#check.deepest > maxDepth) {
      throw new AppError('invalid_input', `The JSON is nested deeper than ${maxDepth} levels: send it flatter.`);
    }
    const maxValues = takesLargeValues ? maxLargeValues : maxPlainValues;
    if (this.#check.values > maxValues) {
      throw new AppError('invalid_input', `The JSON has more than ${maxValues} keys and values: send fewer.`);
    }
    if (size > this.#buffer.length) this.#growTo(size, maxBytes);
    this.#buffer.set(piece, this.#size);
    this.#size = size;
  }

  /** Whether it is too much to be parsed on the main thread. */
  get isLarge(): boolean {
    return this.#size > maxPlainBytes || this.#check.values > maxPlainValues;
  }

  /** What was collected; afterwards nothing more may be added. */
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
  return new AppError('payload_too_large', `The body is larger than ${maxBytes} bytes, the most that is read here.`);
}

/** @throws {AppError} `invalid_input` when it is not JSON in UTF-8 */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    // U+FFFD in the place of what is no UTF-8 would be kept as something that nobody sent.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new AppError('invalid_input', 'The body is not valid JSON in UTF-8.', { cause: error });
  }
}

/** Whether a text that a worker thread has made smaller may be parsed on the main thread. */
export function isPlain(bytes: Uint8Array): boolean {
  if (bytes.length > maxPlainBytes) return false;
  const check = new JsonCheck();
  check.add(bytes);
  return check.values <= maxPlainValues && check.deepest <= maxDepth;
}
