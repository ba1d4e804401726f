import { isElement, nameOf, rootOf, shadowOf } from './dom.ts';

const name = 'commonplace';
const notText = new Set(['script', 'noscript', 'style', 'template', 'textarea', 'select', 'head']);

/** The text of one tree without its spaces, which differ between a page and a selection of it. */
interface Tree {
  text: string;
  /** The nodes in order, with the place of their first character in `text`. */
  nodes: { node: Text; start: number }[];
}

/** Draws words on the page, over it and not in it. @param isMore what is drawn already stays */
export function drawHighlights(quotes: readonly string[], isMore: boolean): void {
  const root = rootOf(document);
  if (root === null || !('highlights' in CSS)) return;
  const trees = treesOf(root);
  const ranges = quotes.flatMap((quote) => rangeOf(withoutSpaces(quote), trees) ?? []);
  const drawn = isMore ? (CSS.highlights.get(name) ?? []) : [];
  CSS.highlights.set(name, new Highlight(...drawn, ...ranges));
}

/** A range does not cross the border of a shadow root, so each has a tree. */
function treesOf(root: Element): Tree[] {
  const trees: Tree[] = [];
  const roots: (Element | ShadowRoot)[] = [root];
  for (let top = roots.pop(); top !== undefined; top = roots.pop()) {
    const parts: string[] = [];
    const nodes: Tree['nodes'] = [];
    let start = 0;
    const walker = document.createTreeWalker(top, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      notText.has(nameOf(node)) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    );
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Text) {
        const part = withoutSpaces(node.data);
        if (part === '') continue;
        nodes.push({ node, start });
        parts.push(part);
        start += part.length;
      } else if (isElement(node)) {
        const shadow = shadowOf(node);
        if (shadow !== null) roots.push(shadow);
      }
    }
    trees.push({ text: parts.join(''), nodes });
  }
  return trees;
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

function rangeOf(quote: string, trees: readonly Tree[]): Range | null {
  if (quote === '') return null;
  for (const { text, nodes } of trees) {
    const at = text.indexOf(quote);
    if (at === -1) continue;
    const range = document.createRange();
    range.setStart(...placeOf(nodes, at));
    const [last, before] = placeOf(nodes, at + quote.length - 1);
    range.setEnd(last, before + 1);
    return range;
  }
  return null;
}

/** The node and offset of a character of the text without spaces. */
function placeOf(nodes: Tree['nodes'], at: number): [Text, number] {
  let [low, high] = [0, nodes.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((nodes[middle]?.start ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const { node, start } = nodes[low] as Tree['nodes'][number];
  let left = at - start;
  for (let offset = 0; offset < node.data.length; offset += 1) {
    if (/\s/.test(node.data[offset] ?? '')) continue;
    if (left === 0) return [node, offset];
    left -= 1;
  }
  return [node, node.data.length];
}
