import { childrenOf, elementsIn, moveChildren, type DomDocument, type DomNode } from './dom-node.ts';

/*
 * Pages that Word wrote: items of lists are paragraphs that begin with a mark, and titles are paragraphs.
 */

/** The mark of an item with the blanks behind it: a sign, a number or letters. */
const itemMark = /^[\s\u00a0]*(?:(\d{1,4})[.)]|\(?[a-z]{1,6}[.)]|[·•o§Øüv■▪–-]|[\uf000-\uf0ff])[\s\u00a0]*$/i;
/** Of a level of a list, in points. */
const indent = 36;
const points: Readonly<Record<string, number>> = { pt: 1, in: 72, cm: 28.3, mm: 2.83, px: 0.75 };
const maxLevel = 9;

/** Makes lists and headings of the paragraphs that Word writes in their place. */
export function levelWordLists(document: DomDocument): void {
  for (const title of elementsIn(document, 'p.MsoTitle')) {
    const heading = document.createElement('h1');
    moveChildren(title, heading);
    title.replaceWith(heading);
  }
  let open: { level: number; list: DomNode; item: DomNode; isNumbered: boolean }[] = [];
  let last: DomNode | null = null;
  /** Removed at the end: the next paragraph asks whether it follows directly. */
  const emptied: DomNode[] = [];
  for (const paragraph of elementsIn(document, 'p[class*="MsoList"], p[style*="mso-list"]')) {
    const mark = takeMark(paragraph);
    if (mark === null) continue;
    if (last === null || !isDirectlyBehind(paragraph, last)) open = [];
    last = paragraph;
    const level = levelOf(paragraph);
    const number = itemMark.exec(mark)?.[1];
    const isNumbered = number !== undefined;
    open = open.filter((one) => one.level < level || (one.level === level && one.isNumbered === isNumbered));
    const item = document.createElement('li');
    const around = open.at(-1);
    let list = around?.level === level ? around.list : undefined;
    if (list === undefined) {
      list = document.createElement(isNumbered ? 'ol' : 'ul');
      if (around === undefined) paragraph.before(list);
      else around.item.append(list);
    } else open.pop();
    if (isNumbered) item.setAttribute('value', number);
    // Letters are no marks of Markdown: they are part of the text.
    else if (/[a-z][.)]/i.test(mark)) item.append(`${mark.trim()} `);
    moveChildren(paragraph, item);
    list.append(item);
    open.push({ level, list, item, isNumbered });
    emptied.push(paragraph);
  }
  for (const paragraph of emptied) paragraph.remove();
}

function isDirectlyBehind(paragraph: DomNode, before: DomNode): boolean {
  return paragraph.previousElementSibling === before;
}

/** Takes the mark out of a paragraph; null if it has none. */
function takeMark(paragraph: DomNode): string | null {
  const marked =
    paragraph.querySelector('[style*="mso-list:Ignore"], [style*="mso-list: Ignore"]') ??
    childrenOf(paragraph).find(({ nodeType, data }) => nodeType === 1 || (data ?? '').trim() !== '');
  const text = marked?.textContent ?? '';
  if (marked === undefined || text.length > 60 || !itemMark.test(text)) return null;
  marked.remove();
  return text;
}

function levelOf(paragraph: DomNode): number {
  const style = paragraph.getAttribute('style') ?? '';
  const named = /mso-list:[^;]{0,40}?\blevel(\d)/i.exec(style)?.[1];
  const [, width = '36', unit = 'pt'] = /margin-left\s*:\s*([\d.]{1,8})(pt|in|cm|mm|px)/i.exec(style) ?? [];
  const level =
    named === undefined ? Math.round((Number(width) * (points[unit.toLowerCase()] ?? 1)) / indent) : Number(named);
  return Math.min(maxLevel, Math.max(1, level));
}
