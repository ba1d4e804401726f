/*
 * Finds the end of a Markdown link. Every part is bounded and read once, so that no page can make it slow.
 */
const maxSpaces = 9;
const maxBareDestination = 200_000;
const maxInParentheses = 8_000;
const maxParentheses = 20;
const maxTitle = 2_000;

const angledDestination = /<[^<>\n]{0,8000}>/y;
const reference = /\[[^[\]\n]{0,200}\]/y;
/** For each character that opens a title: the character that closes it, and those that a title cannot contain. */
const titles: Readonly<Record<string, { close: string; stops: RegExp }>> = {
  '"': { close: '"', stops: /"/ },
  "'": { close: "'", stops: /'/ },
  '(': { close: ')', stops: /[()]/ },
};

/** The offset after `](destination "title")` or `][reference]`; undefined when the bracket is not part of a link. */
export function linkEnd(text: string, close: number | undefined): number | undefined {
  if (close === undefined) return undefined;
  const open = close + 1;
  if (text[open] !== '(') return matchEnd(reference, text, open);
  const start = spacesEnd(text, open + 1);
  const angled = matchEnd(angledDestination, text, start);
  return (
    (angled === undefined ? undefined : closingEnd(text, angled)) ??
    closingEnd(text, bareDestinationEnd(text, start)) ??
    // A title without a destination.
    closingEnd(text, open + 1)
  );
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function spacesEnd(text: string, at: number): number {
  let end = at;
  while (end < at + maxSpaces && /\s/.test(text.charAt(end))) end += 1;
  return end;
}

/** The end of a run of at most `max` characters that `stops` does not match. An escaped character counts as one. */
function runEnd(text: string, at: number, stops: RegExp, max: number): number {
  let end = at;
  for (let count = 0; count < max && end < text.length; count += 1) {
    const isEscape = text[end] === '\\';
    if (isEscape ? !/./.test(text.charAt(end + 1)) : stops.test(text.charAt(end))) break;
    end += isEscape ? 2 : 1;
  }
  return end;
}

/** The end of a destination without `<>`. It may have parentheses, if they are closed and not nested. */
function bareDestinationEnd(text: string, at: number): number {
  const stops = /[\s()]/;
  let end = runEnd(text, at, stops, maxBareDestination);
  for (let count = 0; count < maxParentheses && text[end] === '('; count += 1) {
    const inside = runEnd(text, end + 1, stops, maxInParentheses);
    if (text[inside] !== ')') break;
    end = runEnd(text, inside + 1, stops, maxInParentheses);
  }
  return end;
}

/** The offset after an optional title and the `)` that closes the link. */
function closingEnd(text: string, at: number): number | undefined {
  let end = spacesEnd(text, at);
  const title = end > at ? titles[text.charAt(end)] : undefined;
  if (title !== undefined) {
    const inside = runEnd(text, end + 1, title.stops, maxTitle);
    if (text[inside] !== title.close) return undefined;
    end = spacesEnd(text, inside + 1);
  }
  return text[end] === ')' ? end + 1 : undefined;
}
