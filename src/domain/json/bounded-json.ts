/** Maximum nesting of arrays and objects; the deepest real data (threads of replies) has a tenth. */
const maxJsonDepth = 500;
/**
 * Maximum number of values and keys. The captions of a day have a quarter. A text of nothing but brackets would take a
 * hundred times its length in memory.
 */
const maxJsonValues = 4_000_000;

/** The JSON is too deep or has too many values. A `SyntaxError`, so that callers treat it like broken JSON. */
class JsonBoundsError extends SyntaxError {
  constructor() {
    super(`JSON is nested deeper than ${maxJsonDepth} levels or has more than ${maxJsonValues} values`);
    this.name = 'JsonBoundsError';
  }
}

/**
 * Parses untrusted JSON. Text that is too deep for later code, or takes far more memory than its length, is refused
 * before it is parsed.
 * @throws {SyntaxError} when the text is not valid JSON or exceeds the limits
 */
export function parseBoundedJson(text: string): unknown {
  if (!isWithinBounds(text)) throw new JsonBoundsError();
  return JSON.parse(text);
}

/** The same, without errors: null for text that is no JSON, and for JSON that exceeds the limits. */
export function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Counts the punctuation outside strings in one pass. The text need not be valid JSON. */
function isWithinBounds(text: string): boolean {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // a string, to its closing quotation mark
        for (at += 1; at < text.length && text.charCodeAt(at) !== 0x22; at += 1) {
          if (text.charCodeAt(at) === 0x5c) at += 1;
        }
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        values += 1;
        if (depth > maxJsonDepth) return false;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0x2c: // ,
      case 0x3a: // :
        values += 1;
        break;
      default:
    }
    if (values > maxJsonValues) return false;
  }
  return true;
}

/** The result type of `JSON.parse`. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
