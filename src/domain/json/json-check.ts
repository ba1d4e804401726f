const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const openBrace = 0x7b;
const closeBracket = 0x5d;
const closeBrace = 0x7d;

/**
 * Counts how deep and how wide a JSON text is before anybody parses it: one pass over its bytes, which may come in pieces
 * of any size. It does not ask whether the text is valid; the parser says that. UTF-8 needs no decoding here, because
 * every sign that counts is one byte that is part of no other character.
 */
export class JsonCheck {
  /** The deepest nesting so far; a bare number has 0. */
  deepest = 0;
  /** An upper bound of the values and keys so far: every bracket, comma and colon outside of strings. */
  values = 1;
  #depth = 0;
  #inString = false;
  #escaped = false;

  add(bytes: Uint8Array): void {
    let inString = this.#inString;
    let escaped = this.#escaped;
    let depth = this.#depth;
    let { deepest, values } = this;
    // Counted, because an iterator over bytes takes several times as long.
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inString = false;
      } else if (byte === quote) inString = true;
      else if (byte === comma || byte === colon) values += 1;
      else if (byte === openBrace || byte === openBracket) {
        values += 1;
        depth += 1;
        if (depth > deepest) deepest = depth;
      } else if (byte === closeBrace || byte === closeBracket) depth -= 1;
    }
    this.#inString = inString;
    this.#escaped = escaped;
    this.#depth = depth;
    this.deepest = deepest;
    this.values = values;
  }
}
