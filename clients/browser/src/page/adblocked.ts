import { attribute, childrenOf, isElement, nameOf, setStyleText, styleOf } from './dom.ts';

/**
 * The elements that the person's adblocker hides. It does so by style sheets of the user, which no style of a page overrules: what
 * stays hidden under an important style of its own was hidden by them. What the page itself hides may be text that opens.
 */
export function adblocked(root: Element): ReadonlySet<Node> {
  const unseen: { element: Element; style: CSSStyleDeclaration; before: string | null }[] = [];
  const open: Node[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isElement(node) || nameOf(node) === 'head') continue;
    const style = isUnseen(node) ? styleOf(node) : null;
    if (style === null) for (const child of childrenOf(node)) open.push(child);
    else unseen.push({ element: node, style, before: attribute(node, 'style') });
  }
  // All at once: the browser works the styles out one time.
  for (const { style } of unseen) style.setProperty('display', 'block', 'important');
  const hidden = unseen.filter(({ element }) => isUnseen(element));
  for (const { element, before } of unseen) setStyleText(element, before);
  return new Set(hidden.map(({ element }) => element));
}

function isUnseen(element: Element): boolean {
  return element.ownerDocument.defaultView?.getComputedStyle(element).display === 'none';
}
