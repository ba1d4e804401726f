import type { CallError } from '../data/calls.ts';
import type { Kept } from './kept.ts';

/** A write, kept until the server has answered it. */
export interface Outgoing {
  operation: string;
  input: object;
  /** What the person typed. It is a draft again when the server refuses the write. */
  drafts?: readonly { name: string; value: unknown }[] | undefined;
  /** It was sent at least once, and the server may have done it, although its answer did not come. */
  isTried?: boolean;
}

/**
 * What became of a write: the server answered or refused it, it could not be reached, so that the write waits, or somebody else
 * changed the same fields, so that the person has to choose.
 */
export type Fate = { answer: unknown } | { refused: CallError } | 'waits' | 'conflicts';

interface OutboxParts {
  kept: Kept;
  /** Sends a write. The server does a write with the same key once. @throws {CallError} */
  send: (operation: string, input: object, key: string) => Promise<unknown>;
  /** Told of a write to which no listener is left: it was sent from an earlier page, or waited. */
  onLate: (fate: Exclude<Fate, 'waits'>, operation?: string) => void;
  /** Told when writes come, wait or go. @param done the write that the server has done */
  onChange: (done?: readonly [key: string, write: Outgoing]) => void;
  /** Runs work while no other window of the account does. Absent: nothing prevents it; the keys do. */
  alone?: (work: () => Promise<void>) => Promise<void>;
}

/** Changes of an item carry what the person saw. */
interface Edit {
  id?: string;
  before?: object;
}

const beginning = 'outbox ';
const inConflict = 'conflict ';
/** When a busy server, or one that is away, is asked again. */
const waitMs = 5_000;
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
  /** Fields that were changed from here, which a view may show as they were for a moment: what each was, and is. */
  readonly #own = new Map<string, { were: string[]; is: unknown }>();
  /** Ids of what writes have made, by their keys: until then, the key is its id. */
  readonly #made = new Map<string, string>();
  #sending: Promise<void> = Promise.resolve();
  #count = 0;
  /** Whether writes wait because the last one could not be sent. */
  isHeld = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** The writes that are not answered, by their keys. */
  get waiting(): (readonly [key: string, write: Outgoing])[] {
    return this.#kept(beginning);
  }

  /** The changes of fields that somebody else has changed since the person saw them. */
  get conflicts(): (readonly [key: string, write: Outgoing])[] {
    return this.#kept(inConflict);
  }

  /** @param onFate told once, or first that it waits and later what became of it */
  add(write: Outgoing, onFate: (fate: Fate) => void): void {
    let next = this.#withMadeId(write);
    let tell = onFate;
    // A change of an item takes those of this window into itself that were never sent. Their fate is then its fate.
    for (const [key, before] of this.waiting) {
      const earlier = this.#listeners.get(key);
      const both = earlier === undefined || before.isTried === true ? undefined : joined(before, next);
      if (earlier === undefined || both === undefined) continue;
      const later = tell;
      tell = (fate) => {
        earlier(fate);
        later(fate);
      };
      next = both;
      this.#parts.kept.set(beginning + key, undefined);
      this.#listeners.delete(key);
    }
    this.#count += 1;
    const random = crypto.getRandomValues(new Uint32Array(2)).join('-');
    const key = `${Date.now().toString(36)}-${String(this.#count).padStart(6, '0')}-${random}`;
    this.#parts.kept.set(beginning + key, next);
    this.#listeners.set(key, tell);
    this.#parts.onChange();
    this.send();
  }

  /** The id of what a write has made, once it has; any other id stays. */
  idOf(key: string): string {
    return this.#made.get(key) ?? key;
  }

  /** A write about what an earlier one has made meanwhile. */
  #withMadeId(write: Outgoing): Outgoing {
    const { id = '' }: Edit = write.input;
    return this.idOf(id) === id ? write : { ...write, input: { ...write.input, id: this.idOf(id) } };
  }

  /** A change that was made after a refused one saw its values: the server still has those from before it. */
  #withoutRefused(write: Outgoing, { id, before: were = {}, ...refused }: Edit): Outgoing {
    const { input }: { input: Edit } = write;
    if (input.before === undefined || input.id !== id) return write;
    const seen = Object.entries(input.before).map(([field, value]) => {
      const isRefused = JSON.stringify(value) === JSON.stringify((refused as Record<string, unknown>)[field]);
      return [field, isRefused ? ((were as Record<string, unknown>)[field] ?? value) : value];
    });
    return { ...write, input: { ...input, before: Object.fromEntries(seen) as object } };
  }

  /** Changes the writes that wait. Each that differs costs the browser a write to its storage. */
  #rewrite(change: (write: Outgoing) => Outgoing): void {
    for (const [key, write] of this.waiting) {
      const next = change(write);
      if (next !== write) this.#parts.kept.set(beginning + key, next);
    }
  }

  /** Follows a write of an earlier page. */
  follow(key: string, onFate: (fate: Fate) => void): void {
    this.#listeners.set(key, onFate);
  }

  /** The person has chosen, and perhaps made another write of it. */
  settle(key: string): void {
    this.#parts.kept.set(inConflict + key, undefined);
    // The person has seen what the server has now.
    this.#own.clear();
    this.#parts.onChange();
  }

  /** Sends what waits, now. */
  send(): void {
    clearTimeout(this.#timer);
    const { alone = (work) => work(), onChange } = this.#parts;
    this.#sending = this.#sending
      .then(() => alone(() => this.#sendAll()))
      .then(() => onChange())
      // The browser gives no lock, or a listener failed: what waits is tried again.
      .catch(() => this.#sendLater());
  }

  #sendLater(): void {
    this.#timer = setTimeout(() => this.send(), waitMs);
  }

  async #sendAll(): Promise<void> {
    const { kept, send } = this.#parts;
    for (const [key] of this.waiting) {
      const write = kept.get<Outgoing>(beginning + key);
      // A later change has taken it into itself meanwhile.
      if (write === undefined) continue;
      kept.set(beginning + key, { ...write, isTried: true });
      const fate = await send(write.operation, this.#asSeen(write.input), key).then(
        (answer): Fate => ({ answer }),
        (error: CallError) => this.#fateOf(key, error),
      );
      this.isHeld = fate === 'waits';
      if (fate === 'waits') {
        for (const listener of this.#listeners.values()) listener('waits');
        return this.#sendLater();
      }
      this.#end(key, fate);
    }
    // Another window has sent the others.
    this.isHeld = false;
    const left = new Set(this.waiting.map(([key]) => key));
    for (const key of this.#listeners.keys()) if (!left.has(key)) this.#tell(key, { answer: {} });
  }

  /** One's own change is no conflict. */
  #asSeen(input: Edit): object {
    const { id, before } = input;
    if (before === undefined) return input;
    const seen = Object.entries(before).map(([field, value]) => {
      const own = this.#own.get(`${id} ${field}`);
      return [field, own?.were.includes(JSON.stringify(value)) === true ? own.is : value];
    });
    return { ...input, before: Object.fromEntries(seen) as object };
  }

  /** @param answer the item as it is now: one whose title was cleared has that of its page */
  #remember({ id, before, ...now }: Edit, answer: unknown): void {
    // An undo may bring back what was.
    if (before === undefined) this.#own.clear();
    for (const [field, value] of Object.entries(before ?? {})) {
      const written = (now as Record<string, unknown>)[field] ?? '';
      const is = (answer as Record<string, unknown>)[field] ?? written;
      // The view showed what was written before the answer came.
      const seen = [value, written].map((one) => JSON.stringify(one));
      const were = [...(this.#own.get(`${id} ${field}`)?.were ?? []), ...seen];
      this.#own.set(`${id} ${field}`, { were: were.filter((one) => one !== JSON.stringify(is)), is });
    }
  }

  #fateOf(key: string, error: CallError): Fate {
    const tries = (this.#tries.get(key) ?? 0) + 1;
    if (unclear.has(error.status)) this.#tries.set(key, tries);
    if (later.has(error.status) || (unclear.has(error.status) && tries < maxUnclear)) return 'waits';
    return error.status === 412 ? 'conflicts' : { refused: error };
  }

  #end(key: string, fate: Exclude<Fate, 'waits'>): void {
    const { kept } = this.#parts;
    const write = kept.get<Outgoing>(beginning + key);
    kept.set(beginning + key, undefined);
    this.#tries.delete(key);
    const isRefused = fate !== 'conflicts' && 'refused' in fate;
    let done: readonly [string, Outgoing] | undefined;
    if (fate === 'conflicts') kept.set(inConflict + key, write);
    else if ('answer' in fate && write !== undefined) {
      this.#remember(write.input, fate.answer);
      this.#made.set(key, (fate.answer as Edit).id ?? key);
      this.#rewrite((next) => this.#withMadeId(next));
      done = [this.idOf(key), write];
    } else if (isRefused && write !== undefined) this.#rewrite((next) => this.#withoutRefused(next, write.input));
    for (const { name, value } of write?.drafts ?? [])
      if (isRefused) kept.addDraft(name, value, key);
      else if (JSON.stringify(kept.get(name)) === JSON.stringify(value)) kept.set(name, undefined);
    this.#parts.onChange(done);
    this.#tell(key, fate, write?.operation);
  }

  #tell(key: string, fate: Exclude<Fate, 'waits'>, operation?: string): void {
    const listener = this.#listeners.get(key);
    this.#listeners.delete(key);
    if (listener === undefined) this.#parts.onLate(fate, operation);
    else listener(fate);
  }

  /** In the order in which they were made. */
  #kept(start: string): (readonly [key: string, write: Outgoing])[] {
    return this.#parts.kept.names(start).flatMap((name) => {
      const write = this.#parts.kept.get<Outgoing>(name);
      return write === undefined ? [] : [[name.slice(start.length), write] as const];
    });
  }
}

/** Two changes of one item as one, the later one over the earlier; undefined where the later one does not take its place. */
function joined(first: Outgoing, next: Outgoing): Outgoing | undefined {
  const [one, two]: [Edit, Edit] = [first.input, next.input];
  if (first.operation !== next.operation || one.id === undefined || one.id !== two.id) return undefined;
  const isSame = Object.keys(one).toSorted().join(' ') === Object.keys(two).toSorted().join(' ');
  // What the person saw before the first change is what the server may still have.
  const input = { ...one, ...two, ...(two.before !== undefined && { before: { ...two.before, ...one.before } }) };
  const drafts = [...(first.drafts ?? []), ...(next.drafts ?? [])];
  const names = drafts.map(({ name }) => name);
  return isSame || two.before !== undefined
    ? { ...next, input, drafts: drafts.filter(({ name }, index) => names.lastIndexOf(name) === index) }
    : undefined;
}
