/** Names that take turns until they are done: each is given once before any is given again. Adding, giving and removing take constant time. */
export class Turns {
  readonly #names: Set<string>;

  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  /** Undefined when all are done. */
  next(): string | undefined {
    const [name] = this.#names;
    if (name === undefined) return undefined;
    // To the end of the line.
    this.#names.delete(name);
    this.#names.add(name);
    return name;
  }

  /** Its turns come after those of all others when it is new. */
  add(name: string): void {
    this.#names.add(name);
  }

  done(name: string): void {
    this.#names.delete(name);
  }
}
