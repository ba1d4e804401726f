import { isLatex, isInlineFormula } from '../../../domain/text/formula-end.ts';
import { latexOf } from '../markdown/mathml.ts';
import { elementsIn, type DomDocument, type DomNode } from './dom-node.ts';

/** MathJax's rendering, beside the source. */
const rendered = '.MathJax_Preview, .MathJax, .MathJax_Display, .MathJax_SVG, .MathJax_SVG_Display, .MathJax_CHTML';

/**
 * Gives every formula its LaTeX source in `alttext`, before anything removes parts of the page: from MathJax's scripts, MathML,
 * picture descriptions, or the text between `$`.
 */
export function levelFormulas(document: DomDocument, html: string): void {
  const all = (selector: string): DomNode[] => elementsIn(document, selector);
  for (const container of all('mjx-container')) {
    const math = container.querySelector('math');
    if (math !== null) container.replaceWith(math);
    else levelGlyphs(document, container);
  }
  for (const element of all(sourceNames.map((name) => `[${name}]`).join(', '))) {
    const source = sourceNames.map((name) => element.getAttribute(name)?.trim()).find(Boolean) ?? '';
    if (!isSourceOf(element, source)) continue;
    const isDisplay = element.nodeName === 'DIV' || /block|display/i.test(element.getAttribute('class') ?? '');
    element.textContent = '';
    element.append(formula(document, source, isDisplay));
  }
  // MediaWiki shows a picture of the formula, whose description is the source, and hides the MathML beside it.
  for (const image of all('img.mwe-math-fallback-image-inline, img.mwe-math-fallback-image-display')) {
    const source = (image.getAttribute('alt') ?? '').replace(/^\{\\displaystyle (.*)\}$/su, '$1').trim();
    if (source === '') continue;
    const before = image.previousElementSibling;
    if (/\bmwe-math-mathml/.test(before?.getAttribute('class') ?? '')) before?.remove();
    const isDisplay = /\bmwe-math-fallback-image-display\b/.test(image.getAttribute('class') ?? '');
    image.replaceWith(formula(document, source, isDisplay));
  }
  for (const image of all('img')) {
    const source = isFormulaPicture(image) ? describedFormula(image) : null;
    if (source !== null) image.replaceWith(formula(document, source, false));
  }
  const scripts = all('script').filter((script) => /^math\/tex\b/i.test(script.getAttribute('type') ?? ''));
  if (scripts.length > 0) for (const shown of all(rendered)) shown.remove();
  for (const script of scripts) {
    const isDisplay = /mode\s*=\s*display/i.test(script.getAttribute('type') ?? '');
    script.replaceWith(formula(document, (script.textContent ?? '').trim(), isDisplay));
  }
  for (const math of all('math')) {
    const written =
      math.getAttribute('alttext') ||
      math.querySelector('annotation[encoding="application/x-tex"]')?.textContent?.trim();
    const latex = written ? withoutComments(written) : latexOf(math);
    if (latex === null || latex === '') continue;
    math.setAttribute('alttext', latex);
    // The sentence around it then has the same letters in the page and in its Markdown.
    math.textContent = latex;
  }
  replaceWrittenFormulas(document, html, (latex, isDisplay) => formula(document, latex, isDisplay));
  replaceEquationTables(all('table'), (latex) => formula(document, latex, true));
}

const sourceNames = ['data-math', 'data-latex', 'data-tex', 'data-formula'];
/** In characters. Without any command, index or exponent, only a short source is a formula. */
const maxSource = { latex: 5_000, plain: 60 };
const holdsText = new Set(['MATH', 'P', 'LI', 'TR', 'TD', 'TH']);
const blocks = 'p, div, ul, ol, table, blockquote, pre, h1, h2, h3, h4, h5, h6';
/** Three words in a row. LaTeX has them only in texts, and the attribute may be invisible. */
const words = /(?<![\\\p{L}])\p{L}{2,40}(?:[\s{}.,;:!?'’~_-]{1,9}\p{L}{2,40}){2}/u;
/** Commands of LaTeX that occur between words, or around one. */
const textCommands = /\\(?:text[a-z]{0,9}|math[a-z]{2,9}|mbox|operatorname|q?quad)(?![a-z])|\\(?=[\s,;:!])/g;

/** Whether an attribute is the source of the formula that an element shows, not of a number, and holds no prose. */
function isSourceOf(element: DomNode, source: string): boolean {
  if (holdsText.has(element.nodeName.toUpperCase()) || element.querySelector(blocks) !== null) return false;
  const isFormula = isLatex(source)
    ? source.length <= maxSource.latex
    : source.length <= maxSource.plain && /[\^_=<>+]|^[A-Za-z]$/.test(source);
  // In a spreadsheet, a formula begins with `=`, and the cell shows its result.
  if (!isFormula || source.startsWith('=') || words.test(source.replaceAll(textCommands, ' '))) return false;
  const shown = (element.textContent ?? '').trim();
  return !words.test(shown) && (!/^[\p{Sc}\d.,\s%-]+$/u.test(shown) || source.includes(shown));
}

const maxGlyphs = 1_000;

/** MathJax without MathML for screen readers: elements named like those of MathML, and a class for each sign (`mjx-c1D465`). */
function levelGlyphs(document: DomDocument, container: DomNode): void {
  const signs = [...container.querySelectorAll('mjx-stretchy-v, mjx-stretchy-h, mjx-c')];
  if (signs.length === 0 || [...container.querySelectorAll('*')].length > maxGlyphs) return;
  for (const sign of signs) {
    const code = /(?:^|\s)mjx-c([\dA-F]{1,6})(?:\s|$)/.exec(sign.getAttribute('class') ?? '')?.[1];
    const point = code === undefined ? 0 : Number.parseInt(code, 16);
    sign.textContent = point > 0x10_ff_ff ? '' : String.fromCodePoint(point || 0x20).normalize('NFKC');
  }
  for (const surd of container.querySelectorAll('mjx-surd')) surd.remove();
  for (const [name, parts] of glyphParts) {
    for (const element of container.querySelectorAll(name)) {
      const own = parts.flatMap((part) => nearestWithin(element, part) ?? []);
      element.textContent = '';
      element.append(...own);
    }
  }
  for (const both of container.querySelectorAll('mjx-msubsup > mjx-script')) {
    const children = [...both.querySelectorAll(':scope > *')].filter(({ nodeName }) => nodeName !== 'MJX-SPACER');
    both.replaceWith(...children.toReversed());
  }
  const math = document.createElement('math');
  const latex = latexOf(container);
  if (latex === null || latex === '') return;
  math.setAttribute('alttext', latex);
  if (container.getAttribute('display') === 'true') math.setAttribute('display', 'block');
  math.textContent = latex;
  container.replaceWith(math);
}

/** The parts of elements of MathJax that MathML does not put into further elements, in the order of MathML. */
const glyphParts: readonly [name: string, parts: readonly string[]][] = [
  ['mjx-mfrac', ['mjx-num', 'mjx-den']],
  ['mjx-mroot', ['mjx-box', 'mjx-root']],
  ['mjx-munderover', ['mjx-base', 'mjx-under', 'mjx-over']],
  ['mjx-munder', ['mjx-base', 'mjx-under']],
  ['mjx-mover', ['mjx-base', 'mjx-over']],
];

function nearestWithin(element: DomNode, name: string): DomNode | null {
  let nearest: { one: DomNode; depth: number } | null = null;
  for (const one of element.querySelectorAll(name)) {
    let depth = 0;
    for (let at = one.parentNode; at !== null && at !== element; at = at.parentNode) depth += 1;
    if (nearest === null || depth < nearest.depth) nearest = { one, depth };
  }
  return nearest?.one ?? null;
}

/** LaTeXML breaks lines by a comment, which would hide the rest of a joined line. */
function withoutComments(latex: string): string {
  const lines = latex.split('\n');
  let [whole, isJoined] = ['', false];
  for (const [i, line] of lines.entries()) {
    const isLast = i + 1 === lines.length;
    const comment = isLast ? -1 : line.search(/(?<!\\)%/);
    const text = comment === -1 ? line : line.slice(0, comment);
    whole += (isJoined ? text.trimStart() : text) + (comment === -1 && !isLast ? '\n' : '');
    isJoined = comment !== -1;
  }
  return whole;
}

const drawsFormulas = /\blatex\.php\?|codecogs\.com\/|\bequation\?tex=|\b(?:mimetex|mathtex)\b/i;

function isFormulaPicture(image: DomNode): boolean {
  return (
    /(?:^|[\s_-])(?:latex|tex|math)(?:$|[\s_-])/i.test(image.getAttribute('class') ?? '') ||
    drawsFormulas.test(image.getAttribute('src') ?? '')
  );
}

/** The LaTeX that describes a picture; null if it is described in words, or not at all. */
function describedFormula(image: DomNode): string | null {
  const written = (image.getAttribute('alt') || image.getAttribute('title')) ?? '';
  const source = written
    .trim()
    .replace(/^(?:\$\$?|\\[([])([^]*?)(?:\$\$?|\\[)\]])$/, '$1')
    .trim();
  return source !== '' && (isLatex(source) || !/\p{L}{2}/u.test(source)) ? source : null;
}

function formula(document: DomDocument, source: string, isDisplay: boolean): DomNode {
  const math = document.createElement('math');
  math.setAttribute('alttext', source);
  if (isDisplay) math.setAttribute('display', 'block');
  math.textContent = source;
  return math;
}

/*
 * Tables that only set equations in columns, as LaTeXML and arXiv write them: a row is one equation, with its number.
 */

const equationClass = /eqn|equation/i;
const equationNumber = /^\(?([\w.′'-]{1,10})\)$/;

/** Replaces each table of equations by its equations, which `create` makes of their LaTeX. */
function replaceEquationTables(tables: Iterable<DomNode>, create: (latex: string) => DomNode): void {
  for (const table of tables) {
    const rows = table.querySelector('table') === null ? equationsOf(table) : null;
    if (rows !== null) table.replaceWith(...rows.map(create));
  }
}

/** The LaTeX of each row; null if the table has other text, or columns that say something. */
function equationsOf(table: DomNode): string[] | null {
  if (table.querySelector('math') === null) return null;
  const isNamed = equationClass.test(table.getAttribute('class') ?? '');
  const equations: string[] = [];
  for (const row of table.querySelectorAll('tr')) {
    const parts = [...row.querySelectorAll('math')];
    if (parts.length > 1 && !isNamed) return null;
    let rest = row.textContent ?? '';
    for (const { textContent } of parts) rest = rest.replace(textContent ?? '', '');
    const number = equationNumber.exec(rest.trim())?.[1];
    if (rest.trim() !== '' && number === undefined) return null;
    const latex = parts.map((part) => (part.getAttribute('alttext') ?? '').replace(/^\\displaystyle\s*/, '')).join(' ');
    if (latex.trim() !== '') equations.push(number === undefined ? latex : String.raw`${latex} \tag{${number}}`);
  }
  return equations.length === 0 ? null : equations;
}

/*
 * Formulas that a page writes in its text for a script to set: `\(…\)`, `\[…\]`, `$…$`, `$$…$$`, `\begin{…}…\end{…}`.
 */

/** Scripts that set formulas, and the class that generators give to the elements of formulas. */
const setsFormulas = /mathjax|katex|tex2jax|arithmatex|math-container|class="?math\b/i;
const mayHave = /\\[([]|\\begin\{|\$/;
const skipped =
  'script, style, noscript, textarea, template, pre, code, kbd, samp, tt, math, svg, .tex2jax_ignore, .mathjax_ignore';

/** Replaces the formulas in the text of a page by elements that `create` makes of them. */
function replaceWrittenFormulas(
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

/** In characters. A longer distance means two marks that do not belong together. */
const maxFormula = 3_000;
const opening = /\\begin\{([A-Za-z]{1,20}\*?)\}|\\[\s\S]|\$\$?/g;
const closing = new Map([
  [String.raw`\(`, String.raw`\)`],
  [String.raw`\[`, String.raw`\]`],
  ['$', '$'],
  ['$$', '$$'],
]);

/**
 * The formulas in a text, in order. `isSet`: the page renders formulas, so that text between its marks is one. Otherwise only LaTeX
 * counts. One pass over the text.
 */
export function findFormulas(text: string, isSet: boolean): WrittenFormula[] {
  const found: WrittenFormula[] = [];
  /** For each closing mark, its next position; `text.length` if none. */
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
  /** The end of an invalid formula. From a later mark to the same end there is none either. */
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
