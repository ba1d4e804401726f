/**
 * What waits, account by account: the accounts take turns, and the calls of each are taken in their order. A call that
 * may not be taken yet holds up those of its own account behind it, never another account's.
 */
export class FairQueue<Call extends { readonly accountId: string }> {
  /** In the order of their turns; an account is here only while a call of it waits. */
  readonly #waiting = new Map<string, Call[]>();

  add(call: Call): void {
    const calls = this.#waiting.get(call.accountId);
    if (calls === undefined) this.#waiting.set(call.accountId, [call]);
    else calls.push(call);
  }

  /** Takes the next call out; undefined when none waits that may be taken. */
  next(mayBeTaken: (call: Call) => boolean): Call | undefined {
    for (const [accountId, calls] of this.#waiting) {
      const [first] = calls;
      if (first === undefined || !mayBeTaken(first)) continue;
      calls.shift();
      // To the end of the line.
      this.#waiting.delete(accountId);
      if (calls.length > 0) this.#waiting.set(accountId, calls);
      return first;
    }
    return undefined;
  }

  /** Whether it was waiting. */
  remove(call: Call): boolean {
    const calls = this.#waiting.get(call.accountId);
    const at = calls?.indexOf(call) ?? -1;
    if (calls === undefined || at === -1) return false;
    calls.splice(at, 1);
    if (calls.length === 0) this.#waiting.delete(call.accountId);
    return true;
  }

  /** Takes out all that wait; of one account, or of all. */
  clear(accountId?: string): Call[] {
    const calls = accountId === undefined ? [...this.#waiting.values()].flat() : (this.#waiting.get(accountId) ?? []);
    if (accountId === undefined) this.#waiting.clear();
    else this.#waiting.delete(accountId);
    return calls;
  }
}
