/**
 * The time of day of the database, without asking for it: each transaction brings it along. Leases and due times that
 * one node writes are compared by others, whose own clocks may differ.
 */
export class DatabaseTime {
  /** Monotonic milliseconds of this process. */
  readonly elapsed: () => number;
  /** What has to be added to them. */
  #offset: number | null = null;

  constructor(elapsed: () => number = () => performance.now()) {
    this.elapsed = elapsed;
  }

  /** @param sentAt when the database was asked, in monotonic milliseconds */
  note(databaseNow: number, sentAt: number): void {
    const earliest = databaseNow - this.elapsed();
    const latest = databaseNow - sentAt;
    // Its clock was read between the two. While the known offset is possible, time goes on evenly.
    this.#offset = this.#offset === null ? (earliest + latest) / 2 : Math.min(latest, Math.max(earliest, this.#offset));
  }

  now(): number {
    if (this.#offset === null) throw new Error('there was no transaction yet that brought the time');
    return Math.round(this.#offset + this.elapsed());
  }
}
