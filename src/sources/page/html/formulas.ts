import { latexOf } from '../markdown/mathml.ts';
import type { DomNode } from './dom-node.ts';

interface FormulaElement extends DomNode {
  textContent: string | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  remove(): void;
  replaceWith(node: FormulaElement): void;
  querySelector(selector: string): FormulaElement | null;
  readonly previousElementSibling: FormulaElement | null;
}

interface FormulaDocument {
  createElement(name: string): FormulaElement;
  querySelectorAll(selector: string): Iterable<unknown>;
}

/** What MathJax shows in place of the source beside it. */
const rendered = '.MathJax_Preview, .MathJax, .MathJax_Display, .MathJax_SVG, .MathJax_SVG_Display, .MathJax_CHTML';

/**
 * Gives every formula its LaTeX source in `alttext`, before anything removes parts of the page: the source that MathJax
 * keeps in scripts, and what MathML says.
 */
export function levelFormulas(document: FormulaDocument): void {
  const all = (selector: string): FormulaElement[] => [
    ...(document.querySelectorAll(selector) as Iterable<FormulaElement>),
  ];
  for (const container of all('mjx-container')) {
    const math = container.querySelector('math');
    if (math !== null) container.replaceWith(math);
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
  const scripts = all('script').filter((script) => /^math\/tex\b/i.test(script.getAttribute('type') ?? ''));
  if (scripts.length > 0) for (const shown of all(rendered)) shown.remove();
  for (const script of scripts) {
    const isDisplay = /mode\s*=\s*display/i.test(script.getAttribute('type') ?? '');
    script.replaceWith(formula(document, (script.textContent ?? '').trim(), isDisplay));
  }
  for (const math of all('math')) {
    if (math.getAttribute('alttext')) continue;
    const written = math.querySelector('annotation[encoding="application/x-tex"]')?.textContent?.trim();
    const latex = written === undefined || written === '' ? latexOf(math) : written;
    if (latex !== null && latex !== '') math.setAttribute('alttext', latex);
  }
}

function formula(document: FormulaDocument, source: string, isDisplay: boolean): FormulaElement {
  const math = document.createElement('math');
  math.setAttribute('alttext', source);
  if (isDisplay) math.setAttribute('display', 'block');
  math.textContent = source;
  return math;
}
