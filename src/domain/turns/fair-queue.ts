interface Entry<Call> {
  readonly call: Call;
  before: Entry<Call> | null;
  behind: Entry<Call> | null;
}

/** One account's calls, as a linked list: taking the first one out of a long array costs its length. */
interface Line<Call> {
  first: Entry<Call> | null;
  last: Entry<Call> | null;
}

/**
 * What waits, account by account: the accounts take turns, and the calls of each are taken in their order. Between two calls of an
 * account every other account that waits has one turn, so no call is behind more than one call of each other account for every call
 * of its own that is before it. Adding and removing take constant time, `next` takes a step for each account that it passes over.
 */
export class FairQueue<Call extends { readonly accountId: string }> {
  /** In the order of their turns; an account is here only while a call of it waits. */
  readonly #lines = new Map<string, Line<Call>>();
  readonly #entries = new Map<Call, Entry<Call>>();

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  add(call: Call): void {
    const line = this.#lineOf(call);
    const entry: Entry<Call> = { call, before: line.last, behind: null };
    if (line.last === null) line.first = entry;
    else line.last.behind = entry;
    line.last = entry;
    this.#entries.set(call, entry);
  }

  /** Adds a call before the others of its account, such as one that has more to do. The account has had its turn all the same. */
  addFirst(call: Call): void {
    const line = this.#lineOf(call);
    const entry: Entry<Call> = { call, before: null, behind: line.first };
    if (line.first === null) line.last = entry;
    else line.first.before = entry;
    line.first = entry;
    this.#entries.set(call, entry);
  }

  /** Takes the next call out; undefined when none waits that may be taken. One that may not holds up those of its account behind it, never another account's. */
  next(mayBeTaken: (call: Call) => boolean = () => true): Call | undefined {
    for (const [accountId, line] of this.#lines) {
      if (line.first === null || !mayBeTaken(line.first.call)) continue;
      const { call } = line.first;
      this.remove(call);
      // To the end of the line.
      if (this.#lines.delete(accountId)) this.#lines.set(accountId, line);
      return call;
    }
    return undefined;
  }

  /** Whether it was waiting. */
  remove(call: Call): boolean {
    const entry = this.#entries.get(call);
    const line = this.#lines.get(call.accountId);
    if (entry === undefined || line === undefined) return false;
    if (entry.before === null) line.first = entry.behind;
    else entry.before.behind = entry.behind;
    if (entry.behind === null) line.last = entry.before;
    else entry.behind.before = entry.before;
    if (line.first === null) this.#lines.delete(call.accountId);
    return this.#entries.delete(call);
  }

  /** Takes out all that wait; of one account, or of all. */
  clear(accountId?: string): Call[] {
    const lines = accountId === undefined ? [...this.#lines.values()] : [this.#lines.get(accountId)];
    const calls: Call[] = [];
    for (const line of lines) {
      for (let entry = line?.first ?? null; entry !== null; entry = entry.behind) calls.push(entry.call);
    }
    for (const call of calls) this.remove(call);
    return calls;
  }

  #lineOf({ accountId }: Call): Line<Call> {
    const known = this.#lines.get(accountId);
    if (known !== undefined) return known;
    const line: Line<Call> = { first: null, last: null };
    this.#lines.set(accountId, line);
    return line;
  }
}
