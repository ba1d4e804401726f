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
