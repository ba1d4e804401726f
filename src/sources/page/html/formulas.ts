import { isLatex } from '../../../domain/text/formula-end.ts';
import { latexOf } from '../markdown/mathml.ts';
import { elementsIn, type DomDocument, type DomNode } from './dom-node.ts';
import { replaceEquationTables } from './equation-tables.ts';
import { replaceWrittenFormulas } from './written-formulas.ts';

/** What MathJax shows in place of the source beside it. */
const rendered = '.MathJax_Preview, .MathJax, .MathJax_Display, .MathJax_SVG, .MathJax_SVG_Display, .MathJax_CHTML';

/**
 * Gives every formula its LaTeX source in `alttext`, before anything removes parts of the page: the source that MathJax
 * keeps in scripts, what MathML says, what describes its picture, and what is written in the text between `$`.
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

/** Attributes in which pages keep the source of a formula that they show. */
const sourceNames = ['data-math', 'data-latex', 'data-tex', 'data-formula'];
/** In characters. Without any command, index or exponent, only a short source is a formula. */
const maxSource = { latex: 5_000, plain: 60 };
const holdsText = new Set(['MATH', 'P', 'LI', 'TR', 'TD', 'TH']);
const blocks = 'p, div, ul, ol, table, blockquote, pre, h1, h2, h3, h4, h5, h6';
/** Three words in a row. LaTeX has them in texts only, and nobody may see the attribute that they are in. */
const words = /(?<![\\\p{L}])\p{L}{2,40}(?:[\s{}.,;:!?'’~_-]{1,9}\p{L}{2,40}){2}/u;
/** Commands of LaTeX that stand between words, or around one. */
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

/** Elements of one formula, at most. */
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

/** The element of this name in another one that lies least deep. */
function nearestWithin(element: DomNode, name: string): DomNode | null {
  let nearest: { one: DomNode; depth: number } | null = null;
  for (const one of element.querySelectorAll(name)) {
    let depth = 0;
    for (let at = one.parentNode; at !== null && at !== element; at = at.parentNode) depth += 1;
    if (nearest === null || depth < nearest.depth) nearest = { one, depth };
  }
  return nearest?.one ?? null;
}

/** LaTeXML breaks lines by a comment, which would hide what follows once it stands on the same line. */
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

/** The addresses of services that draw formulas. */
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
