interface QueueEntry<Call> {
  readonly call: Call;
  before: QueueEntry<Call> | null;
  behind: QueueEntry<Call> | null;
}

/** One account's calls, as a linked list: removing the first entry of an array takes time linear in its length. */
interface AccountCalls<Call> {
  first: QueueEntry<Call> | null;
  last: QueueEntry<Call> | null;
}

/**
 * A queue of calls that is fair between accounts: accounts take turns, and each account's calls keep their order.
 * Between two calls of an account, every other waiting account has one turn. So for each earlier call of its own
 * account, a call waits for at most one call of each other account. Adding and removing take constant time; `next`
 * takes one step for each account that it skips.
 */
export class FairQueue<Call extends { readonly accountId: string }> {
  /** Accounts in the order of their turns. An account is here only while one of its calls waits. */
  readonly #lines = new Map<string, AccountCalls<Call>>();
  readonly #entries = new Map<Call, QueueEntry<Call>>();

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  add(call: Call): void {
    const line = this.#lineOf(call);
    const entry: QueueEntry<Call> = { call, before: line.last, behind: null };
    if (line.last === null) line.first = entry;
    else line.last.behind = entry;
    line.last = entry;
    this.#entries.set(call, entry);
  }

  /** Adds a call before the others of its account, for example to continue it. The account's turn does not change. */
  addFirst(call: Call): void {
    const line = this.#lineOf(call);
    const entry: QueueEntry<Call> = { call, before: null, behind: line.first };
    if (line.first === null) line.last = entry;
    else line.first.before = entry;
    line.first = entry;
    this.#entries.set(call, entry);
  }

  /**
   * Removes and returns the next call; undefined when no waiting call may be taken. A call that may not be taken blocks
   * the later calls of its own account, but no other account.
   */
  next(mayBeTaken: (call: Call) => boolean = () => true): Call | undefined {
    for (const [accountId, line] of this.#lines) {
      if (line.first === null || !mayBeTaken(line.first.call)) continue;
      const { call } = line.first;
      this.remove(call);
      // Move the account to the end.
      if (this.#lines.delete(accountId)) this.#lines.set(accountId, line);
      return call;
    }
    return undefined;
  }

  /** Removes a call. Returns whether it was waiting. */
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

  /** Removes and returns all waiting calls of one account, or of all accounts. */
  clear(accountId?: string): Call[] {
    const lines = accountId === undefined ? [...this.#lines.values()] : [this.#lines.get(accountId)];
    const calls: Call[] = [];
    for (const line of lines) {
      for (let entry = line?.first ?? null; entry !== null; entry = entry.behind) calls.push(entry.call);
    }
    for (const call of calls) this.remove(call);
    return calls;
  }

  #lineOf({ accountId }: Call): AccountCalls<Call> {
    const known = this.#lines.get(accountId);
    if (known !== undefined) return known;
    const line: AccountCalls<Call> = { first: null, last: null };
    this.#lines.set(accountId, line);
    return line;
  }
}
