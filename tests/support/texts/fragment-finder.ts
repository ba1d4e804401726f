/*
 * A second, slow reading of https://wicg.github.io/scroll-to-text-fragment/ (find a range from a text directive), to check
 * fragments against: terms are looked for line by line, at the boundaries of words.
 */

export interface PageLine {
  text: string;
  tokens: { start: number; end: number; id: number }[];
}

interface Place {
  line: number;
  start: number;
  end: number;
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll('’', "'")
    .toLowerCase();
}

function boundaries(text: string): Set<number> {
  const all = [...new Intl.Segmenter('en', { granularity: 'word' }).segment(text)].map(({ index }) => index);
  return new Set([...all, text.length]);
}

function* places(lines: readonly PageLine[], term: string, from: Place): Generator<Place> {
  for (const [line, { text }] of lines.entries()) {
    if (line < from.line) continue;
    const edges = boundaries(text);
    for (let start = line === from.line ? from.end : 0; start + term.length <= text.length; start += 1) {
      const end = start + term.length;
      if (edges.has(start) && edges.has(end) && fold(text.slice(start, end)) === fold(term)) yield { line, start, end };
    }
  }
}

/** The place right behind another one, white space and the ends of lines aside. */
function behind(lines: readonly PageLine[], { line, end }: Place): Place {
  let place = { line, start: end, end };
  while (place.line < lines.length) {
    const text = lines[place.line]?.text ?? '';
    const at = text.slice(place.end).search(/\S/);
    if (at !== -1) return { ...place, start: place.end + at, end: place.end + at };
    place = { line: place.line + 1, start: 0, end: 0 };
  }
  return place;
}

function standsAt(lines: readonly PageLine[], term: string, at: Place): Place | null {
  const [next] = places(lines, term, { ...at, end: at.start });
  return next !== undefined && next.line === at.line && next.start === at.start ? next : null;
}

/** The first place that the directive leads to: the ids of its first and last token; null when there is none. */
export function findFragment(lines: readonly PageLine[], directive: string): { first: number; last: number } | null {
  const parts = directive.split(',');
  const prefix = parts[0]?.endsWith('-') === true ? decodeURIComponent(parts.shift()?.slice(0, -1) ?? '') : null;
  const suffix = parts.at(-1)?.startsWith('-') === true ? decodeURIComponent(parts.pop()?.slice(1) ?? '') : null;
  const [start = '', end] = parts.map(decodeURIComponent);
  const origin = { line: 0, start: 0, end: 0 };
  const candidates = function* (): Generator<Place> {
    if (prefix === null) return yield* places(lines, start, origin);
    for (const before of places(lines, prefix, origin)) {
      const found = standsAt(lines, start, behind(lines, before));
      if (found !== null) yield found;
    }
  };
  for (const from of candidates()) {
    const ends = end === undefined ? [from] : places(lines, end, from);
    for (const to of ends) {
      if (suffix !== null && standsAt(lines, suffix, behind(lines, to)) === null) continue;
      const ids = lines.flatMap(({ tokens }, line) =>
        tokens.filter(
          (token) =>
            (line > from.line || (line === from.line && token.end > from.start)) &&
            (line < to.line || (line === to.line && token.start < to.end)),
        ),
      );
      return { first: ids[0]?.id ?? -1, last: ids.at(-1)?.id ?? -1 };
    }
  }
  return null;
}
