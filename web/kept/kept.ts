/** Where text is kept by name. A browser's `Storage` is one; an extension or a phone brings its own. */
export interface Shelf {
  readonly length: number;
  key(index: number): string | null;
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** Values of one account that are not on the server, kept across reloads: drafts, writes that wait to be sent, places in texts. */
export class Kept {
  readonly #shelf: Shelf | null;
  readonly #prefix: string;
  #isOver = false;
  /** Values that the browser did not take, for example because its storage is full or switched off. They end with the page. */
  readonly #unsafe = new Map<string, string>();

  /** @param shelf null where there is none, such as on the server */
  constructor(shelf: Shelf | null, account: string) {
    this.#shelf = shelf;
    this.#prefix = `commonplace ${account} `;
  }

  get<Value>(name: string): Value | undefined {
    const text = this.#unsafe.get(name) ?? this.#try((shelf) => shelf.getItem(this.#prefix + name));
    return text === null || text === undefined ? undefined : (JSON.parse(text) as Value);
  }

  /**
   * @param value undefined: it is not kept any longer
   * @param isPrecious whether the person would miss it
   */
  set(name: string, value: unknown, isPrecious = true): void {
    this.#unsafe.delete(name);
    if (this.#isOver) return;
    if (value === undefined) this.#try((shelf) => shelf.removeItem(this.#prefix + name));
    else {
      const text = JSON.stringify(value);
      const isKept = this.#try((shelf) => (shelf.setItem(this.#prefix + name, text), true));
      if (isKept !== true && isPrecious) this.#unsafe.set(name, text);
    }
  }

  /** What was typed in a form: one draft after the other, where more than one write of it was refused. */
  draft<Value>(name: string): Value | undefined {
    const [other] = this.names(`other ${name} `);
    if (this.get(name) === undefined && other !== undefined) {
      this.set(name, this.get(other));
      this.set(other, undefined);
    }
    return this.get(name);
  }

  /** Keeps a draft, beside one that the form has already. @param key tells it from others of that form */
  addDraft(name: string, value: unknown, key: string): void {
    const now = this.get(name);
    if (JSON.stringify(now) !== JSON.stringify(value))
      this.set(now === undefined ? name : `other ${name} ${key}`, value);
  }

  /** The names that begin so, sorted. */
  names(beginning: string): string[] {
    const kept = this.#try((shelf) => Array.from({ length: shelf.length }, (_, index) => shelf.key(index) ?? '')) ?? [];
    const own = kept.filter((name) => name.startsWith(this.#prefix)).map((name) => name.slice(this.#prefix.length));
    return [...own, ...this.#unsafe.keys()].filter((name) => name.startsWith(beginning)).toSorted();
  }

  /** False while something would be lost if the page were closed. */
  get isSafe(): boolean {
    return this.#unsafe.size === 0;
  }

  /** The person has signed out: nothing stays, and nothing is kept from now on. */
  end(): void {
    for (const name of this.names('')) this.set(name, undefined);
    this.#isOver = true;
  }

  #try<Answer>(use: (shelf: Shelf) => Answer): Answer | undefined {
    try {
      return this.#shelf === null ? undefined : use(this.#shelf);
    } catch {
      return undefined;
    }
  }
}
