import { elementsIn, type DomDocument, type DomNode } from './dom-node.ts';
import { isInlineFormula, isLatex } from '../../../domain/text/formula-end.ts';

/*
 * Formulas that a page writes in its text for a script to set: `\(…\)`, `\[…\]`, `$…$`, `$$…$$`, `\begin{…}…\end{…}`.
 */

/** Scripts that set formulas, and the class that generators give to the elements of formulas. */
const setsFormulas = /mathjax|katex|tex2jax|arithmatex|math-container|class="?math\b/i;
const mayHave = /\\[([]|\\begin\{|\$/;
/** Elements in which the scripts look for no formulas. */
const skipped =
  'script, style, noscript, textarea, template, pre, code, kbd, samp, tt, math, svg, .tex2jax_ignore, .mathjax_ignore';

/** Replaces the formulas in the text of a page by elements that `create` makes of them. */
export function replaceWrittenFormulas(
  document: DomDocument,
  html: string,
  create: (latex: string, isDisplay: boolean) => unknown,
): void {
  if (!mayHave.test(html)) return;
  const isSet = setsFormulas.test(html);
  for (const element of elementsIn(document, '*')) {
    // linkedom makes a text node of every entity, and long formulas are broken by `<br>`.
    let run: DomNode[] = [];
    for (let node = element.firstChild; ; node = node.nextSibling) {
      if (node?.nodeType === 3 || (node?.nodeName === 'BR' && run.length > 0)) run.push(node);
      else {
        if (run.some(({ data }) => data !== undefined && /[$\\]/.test(data)) && element.closest(skipped) === null)
          replaceInRun(document, element, run, isSet, create);
        run = [];
      }
      if (node === null) break;
    }
  }
}

/** From the last formula to the first, so that the places of those before it stay as they are. */
function replaceInRun(
  document: DomDocument,
  element: DomNode,
  run: readonly DomNode[],
  isSet: boolean,
  create: (latex: string, isDisplay: boolean) => unknown,
): void {
  const texts = run.map(({ data }) => data ?? '\n');
  const starts: number[] = [];
  let length = 0;
  for (const text of texts) {
    starts.push(length);
    length += text.length;
  }
  let last = run.length - 1;
  for (const { start, end, latex, isDisplay } of findFormulas(texts.join(''), isSet).toReversed()) {
    while ((starts[last] ?? 0) >= end) last -= 1;
    let first = last;
    while ((starts[first] ?? 0) > start) first -= 1;
    const [from, to] = [run[first], run[last]];
    if (from?.data === undefined || to?.data === undefined) continue;
    const behind = to.data.slice(end - (starts[last] ?? 0));
    const next = to.nextSibling;
    for (const node of run.slice(first + 1, last + 1)) node.remove();
    from.data = from.data.slice(0, start - (starts[first] ?? 0));
    element.insertBefore(create(latex, isDisplay), next);
    if (behind !== '') element.insertBefore(document.createTextNode(behind), next);
    last = first;
  }
}

/** A formula in a text: its place with the marks around it, and its LaTeX. */
interface WrittenFormula {
  start: number;
  end: number;
  latex: string;
  isDisplay: boolean;
}

/** In characters. What is longer is two marks that do not belong together. */
const maxFormula = 3_000;
const opening = /\\begin\{([A-Za-z]{1,20}\*?)\}|\\[\s\S]|\$\$?/g;
const closing = new Map([
  [String.raw`\(`, String.raw`\)`],
  [String.raw`\[`, String.raw`\]`],
  ['$', '$'],
  ['$$', '$$'],
]);

/**
 * The formulas in a text, in order. `isSet`: the page sets formulas, so that what stands between its marks is one.
 * Elsewhere only LaTeX is. One pass over the text.
 */
export function findFormulas(text: string, isSet: boolean): WrittenFormula[] {
  const found: WrittenFormula[] = [];
  /** For each closing mark, where it stands next; `text.length` if nowhere. */
  const places = new Map<string, number>();
  const nextPlace = (mark: string, from: number): number => {
    let place = places.get(mark) ?? -1;
    if (place < from) {
      place = text.indexOf(mark, from);
      if (place === -1) place = text.length;
      places.set(mark, place);
    }
    return place;
  };
  /** Where a formula would end that is none. From a later mark to the same end there is none either. */
  let refused = -1;
  opening.lastIndex = 0;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const [mark, environment] = match;
    const start = match.index;
    const from = start + mark.length;
    const close = environment === undefined ? closing.get(mark) : `\\end{${environment}}`;
    if (close === undefined) continue;
    const place = nextPlace(close, from);
    if (place === text.length || place - from > maxFormula || place === refused) continue;
    const inside = text.slice(from, place);
    const end = place + close.length;
    const isFormula = isLatex(inside) || (isSet && (mark !== '$' || /[=<>+*|[\]]/.test(inside)));
    if (!isFormula || inside.trim() === '') refused = place;
    if (place === refused || (mark === '$' && !isInlineFormula(inside, text[end]))) continue;
    if (environment !== undefined && !isSet) continue;
    found.push({
      start,
      end,
      latex: (environment === undefined ? inside : text.slice(start, end)).trim(),
      isDisplay: mark !== '$' && mark !== String.raw`\(`,
    });
    opening.lastIndex = end;
  }
  return found;
}
