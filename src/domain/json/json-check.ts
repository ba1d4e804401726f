const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const openBrace = 0x7b;
const closeBracket = 0x5d;
const closeBrace = 0x7d;

/**
 * Measures the nesting and the number of values of a JSON text before it is parsed, in one pass over its bytes, which
 * may arrive in chunks of any size. Does not validate the text; the parser does. UTF-8 need not be decoded, because
 * every counted character is a single byte that is never part of another character.
 */
export class JsonCheck {
  /** Maximum nesting so far; 0 for a bare number. */
  deepest = 0;
  /** Upper bound of the values and keys so far: one plus the opening brackets, commas and colons outside strings. */
  values = 1;
  #depth = 0;
  #inString = false;
  #escaped = false;

  add(bytes: Uint8Array): void {
    let inString = this.#inString;
    let escaped = this.#escaped;
    let depth = this.#depth;
    let { deepest, values } = this;
    // An index loop, because an iterator over bytes takes several times as long.
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
