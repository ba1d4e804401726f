import { latexOf } from '../markdown/mathml.ts';
import type { DomNode } from './dom-node.ts';

interface FormulaElement extends DomNode {
  textContent: string | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  remove(): void;
  replaceWith(node: FormulaElement): void;
  querySelector(selector: string): FormulaElement | null;
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
  const scripts = all('script').filter((script) => /^math\/tex\b/i.test(script.getAttribute('type') ?? ''));
  if (scripts.length > 0) for (const shown of all(rendered)) shown.remove();
  for (const script of scripts) {
    const source = (script.textContent ?? '').trim();
    const math = document.createElement('math');
    math.setAttribute('alttext', source);
    if (/mode\s*=\s*display/i.test(script.getAttribute('type') ?? '')) math.setAttribute('display', 'block');
    math.textContent = source;
    script.replaceWith(math);
  }
  for (const math of all('math')) {
    if (math.getAttribute('alttext')) continue;
    const written = math.querySelector('annotation[encoding="application/x-tex"]')?.textContent?.trim();
    const latex = written === undefined || written === '' ? latexOf(math) : written;
    if (latex !== null && latex !== '') math.setAttribute('alttext', latex);
  }
}
