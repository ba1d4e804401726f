import { childrenOf, elementsIn, moveChildren, type DomDocument, type DomNode } from './dom-node.ts';
import { selectorsWith } from './hidden-styles.ts';
import { levelWordLists } from './word-lists.ts';

/*
 * Markup that shows more than it says: levelled before anything judges or removes parts of a page.
 */

/** Levels boxes in a line, lines that only white space breaks, lists, and pictures that are loaded late. */
export function levelStructure(document: DomDocument): void {
  const all = (selector: string): DomNode[] => elementsIn(document, selector);
  const sheets = all('style').map(({ textContent }) => textContent ?? '');
  /** Elements to which their own style or a class gives one of these values. */
  const styled = (property: string, values: RegExp): DomNode[] => {
    const own = all(`[style*="${property}"]`).filter((one) => values.test(one.getAttribute('style') ?? ''));
    const selectors = selectorsWith(sheets, property, values);
    return selectors.length === 0 ? own : [...new Set([...own, ...all(selectors.join(', '))])];
  };
  for (const box of styled('display', /(?:^|[;\s])display\s*:\s*inline(?:-block)?\s*(?:;|!|$)/i)) {
    if (box.nodeName === 'DIV' && isInSentence(box)) renamed(document, box, 'span');
  }
  const budget = { breaks: maxBreaks };
  for (const element of styled('white-space', /white-space\s*:\s*(?:pre|break-spaces)/i))
    breakLines(document, element, budget);
  // How a word is read aloud, in small type above it.
  for (const reading of all('rt, rp, rtc')) reading.remove();
  levelWordLists(document);
  for (const list of all('ul, ol')) levelList(document, list);
  const pictures = new Set<DomNode>();
  for (const image of all('img')) levelPicture(image, pictures);
}

/** Whether text stands directly before or after a box, in the line in which it is shown. */
function isInSentence(box: DomNode): boolean {
  return [box.previousSibling, box.nextSibling].some((one) => one?.nodeType === 3 && (one.data ?? '').trim() !== '');
}

function renamed(document: DomDocument, element: DomNode, name: string): void {
  const other = document.createElement(name);
  moveChildren(element, other);
  element.replaceWith(other);
}

/** Line breaks written into one page, at most. */
const maxBreaks = 5_000;

/** Writes the line breaks that a browser shows in the texts of an element. */
function breakLines(document: DomDocument, element: DomNode, budget: { breaks: number }): void {
  if (/^(?:PRE|CODE|TEXTAREA)$/.test(element.nodeName)) return;
  for (const node of childrenOf(element)) {
    if (node.nodeType === 1 && /^(?:SPAN|B|I|EM|STRONG|A)$/.test(node.nodeName)) breakLines(document, node, budget);
    const lines = node.nodeType === 3 ? (node.data ?? '').split(/\r?\n/) : [];
    if (lines.length < 2 || lines.length > budget.breaks || lines.every((line) => line.trim() === '')) continue;
    budget.breaks -= lines.length;
    for (const [i, line] of lines.entries()) {
      if (i > 0) node.before(document.createElement('br'));
      node.before(line);
    }
    node.remove();
  }
}

/** Puts what stands in a list, but in none of its items, into the item before it, or before the list. */
function levelList(document: DomDocument, list: DomNode): void {
  const children = childrenOf(list);
  if (!children.some(({ nodeName }) => nodeName === 'LI')) return;
  let item: DomNode | null = null;
  for (const child of children) {
    if (child.nodeName === 'LI') item = child;
    const isList = /^[OU]L$/.test(child.nodeName);
    const isText = child.nodeType === 3 && (child.data ?? '').trim() !== '';
    const isElement = child.nodeType === 1 && /^(?:P|DIV|SPAN|A|B|I|EM|STRONG)$/.test(child.nodeName);
    if (child.nodeName === 'LI' || !(isList || isText || (isElement && child.querySelector('li') === null))) continue;
    const moved = isText ? document.createElement('div') : child;
    if (item !== null) item.append(moved);
    else if (!isList) list.before(moved);
    if (isText) moved.append(child);
  }
}

const lateNames = ['data-src', 'data-lazy-src', 'data-original', 'data-orig-src'];
const lateSets = ['data-srcset', 'data-lazy-srcset'];

/** An image that has an address already keeps it unless the later one has a folder or a suffix. */
const looksLikeAddress = /\/|\.[a-z]{3,4}(?:[?#]|$)/i;
/** Elements `source` of one picture, at most. */
const maxSources = 50;

/**
 * Gives a picture the address that a script would give it, and removes the picture that repeats it for readers without
 * scripts.
 */
function levelPicture(image: DomNode, pictures: Set<DomNode>): void {
  const own = image.getAttribute('src') ?? '';
  const isMissing = own === '' || own.startsWith('data:');
  const holder = image.parentNode?.nodeName === 'PICTURE' ? image.parentNode : image;
  // A browser shows one image of a `picture`.
  if (pictures.has(holder)) return;
  pictures.add(holder);
  const beginning = (written: string | null): string | undefined => written?.trim().split(/[\s,]+/, 1)[0];
  const first = (nodes: readonly DomNode[], names: readonly string[]): string | undefined =>
    nodes
      .flatMap((node) => names.map((name) => beginning(node.getAttribute(name))))
      .find((one) => one && !/^(?:data:|[{[])/.test(one) && (isMissing || looksLikeAddress.test(one)));
  const sources = isMissing && holder !== image ? [...holder.querySelectorAll('source')].slice(0, maxSources) : [];
  const next = nextElement(holder);
  const twin =
    next?.nodeName === 'NOSCRIPT' && (next.textContent ?? '').trim() === '' ? next.querySelector('img') : null;
  const address =
    first([image], lateNames) ??
    first([image], lateSets) ??
    (isMissing ? (first([image], ['srcset']) ?? first(sources, ['srcset', 'data-srcset'])) : undefined) ??
    (isMissing && twin !== null ? first([twin], ['src']) : undefined);
  if (address !== undefined) image.setAttribute('src', address);
  if (twin !== null && next !== null && (address !== undefined || !isMissing)) next.remove();
}

function nextElement(node: DomNode): DomNode | null {
  let next = node.nextSibling;
  while (next !== null && next.nodeType !== 1) {
    if (next.nodeType === 3 && (next.data ?? '').trim() !== '') return null;
    next = next.nextSibling;
  }
  return next;
}
