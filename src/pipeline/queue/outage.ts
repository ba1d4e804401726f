/** A failure soon after a page was fetched may be the fault of one site, whatever it looks like. */
const workedLatelyMs = 10 * 60_000;

/** What this process has seen of the machine's own network. Times are those of `Clock.elapsed`, in milliseconds. */
export class Outage {
  #since: number | null = null;
  #workedAt = Number.NEGATIVE_INFINITY;

  /** A page was fetched. */
  noteSuccess(elapsed: number): void {
    this.#since = null;
    this.#workedAt = elapsed;
  }

  /**
   * The network could not be reached.
   * @returns for how long that has been so; null when it worked a short while ago
   */
  noteFailure(elapsed: number): number | null {
    this.#since ??= elapsed;
    return elapsed - this.#workedAt < workedLatelyMs ? null : elapsed - this.#since;
  }
}
