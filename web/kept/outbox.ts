import type { CallError } from '../calls.ts';
import type { Kept } from './kept.ts';

/** A write, kept until the server has answered it. */
export interface Outgoing {
  operation: string;
  input: object;
  /** What the person typed. It is a draft again when the server refuses the write. */
  draft?: { name: string; value: unknown } | undefined;
}

/** What became of a write: the server answered or refused it, or could not be reached, so that it waits. */
export type Fate = { answer: unknown } | { refused: CallError } | 'waits';

export interface OutboxParts {
  kept: Kept;
  /** Sends a write. The server does a write with the same key once. @throws {CallError} */
  send: (operation: string, input: object, key: string) => Promise<unknown>;
  /** Told of a write to which no listener is left: it was sent from an earlier page, or waited. */
  onLate: (fate: Exclude<Fate, 'waits'>) => void;
  /** Told when writes come, wait or go. */
  onChange: () => void;
  /** Runs work while no other window of the account does. Absent: nothing prevents it; the keys do. */
  alone?: (work: () => Promise<void>) => Promise<void>;
}

const beginning = 'outbox ';
const [firstWaitMs, maxWaitMs] = [1_000, 30_000];
/** The server is busy or away, or nobody is signed in: the write is as good as before. */
const later = new Set([0, 401, 408, 429, 502, 503, 504]);
/** A fault of the server, or the first sending of this write is still under way. */
const unclear = new Set([409, 500]);
const maxUnclear = 4;

/** Sends writes one after the other, in the order in which they were made, and each until it is answered. */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #listeners = new Map<string, (fate: Fate) => void>();
  readonly #tries = new Map<string, number>();
  #sending: Promise<void> = Promise.resolve();
  #current = '';
  #count = 0;
  #waitMs = firstWaitMs;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** The writes that are not answered, by their keys. */
  get waiting(): (readonly [key: string, write: Outgoing])[] {
    return this.#names().flatMap((name) => {
      const write = this.#parts.kept.get<Outgoing>(name);
      return write === undefined ? [] : [[name.slice(beginning.length), write] as const];
    });
  }

  /** @param onFate told once, or first that it waits and later what became of it */
  add(write: Outgoing, onFate: (fate: Fate) => void): void {
    // A write that changes the same fields again takes the place of one that waits.
    for (const [key, before] of this.waiting)
      if (key !== this.#current && isSameChange(before, write)) this.#end(key, { answer: {} });
    this.#count += 1;
    const random = crypto.getRandomValues(new Uint32Array(2)).join('-');
    const key = `${Date.now().toString(36)}-${String(this.#count).padStart(6, '0')}-${random}`;
    this.#parts.kept.set(beginning + key, write);
    this.#listeners.set(key, onFate);
    this.send();
  }

  /** Follows a write of an earlier page. */
  follow(key: string, onFate: (fate: Fate) => void): void {
    this.#listeners.set(key, onFate);
  }

  /** Sends what waits, now. */
  send(): void {
    clearTimeout(this.#timer);
    const { alone = (work) => work(), onChange } = this.#parts;
    this.#sending = this.#sending
      .then(() => alone(() => this.#sendAll()))
      .then(onChange)
      // The browser gives no lock, or a listener failed: what waits is tried again.
      .catch(() => {
        this.#timer = setTimeout(() => this.send(), maxWaitMs);
      });
  }

  async #sendAll(): Promise<void> {
    for (const [key, { operation, input }] of this.waiting) {
      this.#current = key;
      const fate = await this.#parts.send(operation, input, key).then(
        (answer): Fate => ({ answer }),
        (error: CallError) => this.#fateOf(key, error),
      );
      this.#current = '';
      if (fate === 'waits') {
        for (const listener of this.#listeners.values()) listener('waits');
        this.#timer = setTimeout(() => this.send(), this.#waitMs);
        this.#waitMs = Math.min(maxWaitMs, 2 * this.#waitMs);
        return;
      }
      this.#waitMs = firstWaitMs;
      this.#end(key, fate);
    }
    // Another window has sent the others.
    const left = new Set(this.#names());
    for (const key of this.#listeners.keys()) if (!left.has(beginning + key)) this.#tell(key, { answer: {} });
  }

  #fateOf(key: string, error: CallError): Fate {
    const tries = (this.#tries.get(key) ?? 0) + 1;
    if (unclear.has(error.status)) this.#tries.set(key, tries);
    return later.has(error.status) || (unclear.has(error.status) && tries < maxUnclear) ? 'waits' : { refused: error };
  }

  #end(key: string, fate: Exclude<Fate, 'waits'>): void {
    const { kept } = this.#parts;
    const draft = kept.get<Outgoing>(beginning + key)?.draft;
    kept.set(beginning + key, undefined);
    this.#tries.delete(key);
    if (draft !== undefined) {
      const now = kept.get(draft.name);
      const isSame = JSON.stringify(now) === JSON.stringify(draft.value);
      if ('refused' in fate && now === undefined) kept.set(draft.name, draft.value);
      else if ('answer' in fate && isSame) kept.set(draft.name, undefined);
    }
    this.#tell(key, fate);
  }

  #tell(key: string, fate: Exclude<Fate, 'waits'>): void {
    const listener = this.#listeners.get(key);
    this.#listeners.delete(key);
    if (listener === undefined) this.#parts.onLate(fate);
    else listener(fate);
  }

  /** In the order in which they were made. */
  #names(): string[] {
    return this.#parts.kept.names(beginning);
  }
}

function isSameChange(before: Outgoing, next: Outgoing): boolean {
  const fields = ({ operation, input }: Outgoing) => `${operation} ${Object.keys(input).toSorted().join(' ')}`;
  const idOf = ({ input }: Outgoing) => (input as { id?: unknown }).id;
  return idOf(next) !== undefined && idOf(before) === idOf(next) && fields(before) === fields(next);
}
