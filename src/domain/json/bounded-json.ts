/** Levels of arrays and objects in each other; the deepest honest data (threads of replies) has a tenth. */
const maxJsonDepth = 500;
/** Values and keys. Captions of a day have a quarter; a text of brackets alone would take a hundred times its length in memory. */
const maxJsonValues = 4_000_000;

/** JSON that is too deep or has too many values to be parsed. A kind of `SyntaxError`: to a reader it is as little use as broken JSON. */
class JsonBoundsError extends SyntaxError {
  constructor() {
    super(`JSON is nested deeper than ${maxJsonDepth} levels or has more than ${maxJsonValues} values`);
    this.name = 'JsonBoundsError';
  }
}

/**
 * Parses JSON from outside. What is too deep for the readers behind it, or unfolds to far more than its length, is refused first.
 * @throws {SyntaxError}
 */
export function parseBoundedJson(text: string): unknown {
  if (!isWithinBounds(text)) throw new JsonBoundsError();
  return JSON.parse(text);
}

/** One pass over the marks outside of strings, whatever the text is. */
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
