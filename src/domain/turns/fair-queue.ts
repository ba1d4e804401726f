/**
 * A queue of calls that is fair between accounts: accounts take turns, and each account's calls keep their order.
 * Between two calls of an account, every other waiting account has one turn. So for each earlier call of its own
 * account, a call waits for at most one call of each other account. `next` takes one step for each account that it skips.
 */
export class FairQueue<Call extends { readonly accountId: string }> {
  /** Accounts in the order of their turns. An account is here only while one of its calls waits. */
  readonly #lines = new Map<string, Line<Call>>();
  readonly #lineOf: (call: Call) => string;

  /** @param lineOf names the line in which a call waits; absent: each account has one */
  constructor(lineOf = ({ accountId }: Call): string => accountId) {
    this.#lineOf = lineOf;
  }

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  add(call: Call): void {
    const name = this.#lineOf(call);
    const line = this.#lines.get(name);
    if (line === undefined) this.#lines.set(name, new Line([call]));
    else line.calls.add(call);
  }

  /** Adds a call before the others of its account, for example to continue it. The account's turn does not change. */
  addFirst(call: Call): void {
    const name = this.#lineOf(call);
    this.#lines.set(name, new Line([call, ...(this.#lines.get(name)?.calls ?? [])]));
  }

  /**
   * Removes and returns the next call; undefined when no waiting call may be taken. A call that may not be taken blocks
   * the later calls of its own account, but no other account.
   */
  next(mayBeTaken: (call: Call) => boolean = () => true): Call | undefined {
    for (const [name, line] of this.#lines) {
      const call = line.first();
      if (call === undefined || !mayBeTaken(call)) continue;
      this.remove(call);
      // Move the line to the end.
      if (this.#lines.delete(name)) this.#lines.set(name, line);
      return call;
    }
    return undefined;
  }

  /** Removes a call. Returns whether it was waiting. */
  remove(call: Call): boolean {
    const name = this.#lineOf(call);
    const line = this.#lines.get(name);
    const wasWaiting = line?.remove(call) === true;
    if (line?.calls.size === 0) this.#lines.delete(name);
    return wasWaiting;
  }

  /** Removes and returns all waiting calls of one line, or of all lines. */
  clear(name?: string): Call[] {
    const lines = name === undefined ? [...this.#lines.values()] : [this.#lines.get(name)];
    const waiting = lines.flatMap((line) => [...(line?.calls ?? [])]);
    for (const call of waiting) this.remove(call);
    return waiting;
  }
}

/** The calls of one account, in order. Its iterator is kept: a new one would pass over all calls that have left, each time. */
class Line<Call> {
  readonly calls: Set<Call>;
  readonly #rest: Iterator<Call>;
  #first: Call | undefined;

  constructor(calls: Iterable<Call>) {
    this.calls = new Set(calls);
    this.#rest = this.calls.values();
  }

  first(): Call | undefined {
    return (this.#first ??= this.#rest.next().value);
  }

  remove(call: Call): boolean {
    if (call === this.#first) this.#first = undefined;
    return this.calls.delete(call);
  }
}

/** Round-robin over names: each is returned once before any is returned again. All operations take constant time. */
export class Turns {
  readonly #names: Set<string>;

  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  /** The next name; undefined when none is left. */
  next(): string | undefined {
    const [name] = this.#names;
    if (name === undefined) return undefined;
    // Move the name to the end.
    this.#names.delete(name);
    this.#names.add(name);
    return name;
  }

  /** Adds a name. A new one comes after all others. */
  add(name: string): void {
    this.#names.add(name);
  }

  done(name: string): void {
    this.#names.delete(name);
  }
}
