/** Reads SQLite's variable-length integers one after another: seven bits per byte, the most significant first. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  next(): number {
    let value = 0;
    for (let length = 1; length < 9; length += 1) {
      const byte = this.#bytes[this.at] ?? 0;
      this.at += 1;
      if (byte < 0x80) return value * 0x80 + byte;
      value = value * 0x80 + (byte & 0x7f);
    }
    value = value * 0x100 + (this.#bytes[this.at] ?? 0);
    this.at += 1;
    return value;
  }
}
