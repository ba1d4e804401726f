import { childrenOf, elementsIn, moveChildren, type DomDocument, type DomNode } from './dom-node.ts';
import { selectorsWith } from './hidden-styles.ts';

/* Markup that shows more than it says, levelled before anything judges the page. */

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
  // A browser draws the quotation marks, so the text has none.
  for (const quotation of all('q')) {
    if (quotation.firstChild === null || isQuoted(quotation)) continue;
    quotation.prepend('“');
    quotation.append('”');
  }
  levelWordLists(document);
  for (const list of all('ul, ol')) levelList(document, list);
  for (const picture of all('amp-img')) {
    const image = document.createElement('img');
    for (const name of ['src', 'srcset', 'alt']) image.setAttribute(name, picture.getAttribute(name) ?? '');
    picture.replaceWith(image);
  }
  const pictures = new Set<DomNode>();
  for (const image of all('img')) levelPicture(image, pictures);
}

/** Whether the author wrote the quotation marks of a `q`, in it or around it. */
function isQuoted(quotation: DomNode): boolean {
  let first: DomNode | null = quotation.firstChild;
  for (let depth = 0; first?.firstChild && depth < 5; depth += 1) first = first.firstChild;
  return (
    /^\s*["“„«‘']/.test(first?.data ?? '') || /(?:^|[\s(])["“„«‘']$|«\s$/.test(quotation.previousSibling?.data ?? '')
  );
}

/** Whether text directly precedes or follows a box in its visible line. */
function isInSentence(box: DomNode): boolean {
  return [box.previousSibling, box.nextSibling].some((one) => one?.nodeType === 3 && (one.data ?? '').trim() !== '');
}

function renamed(document: DomDocument, element: DomNode, name: string): void {
  const other = document.createElement(name);
  moveChildren(element, other);
  element.replaceWith(other);
}

const maxBreaks = 5_000;

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

/** Moves content of a list outside its items into the previous item, or before the list. */
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
const maxSources = 50;

/** Gives a picture the address that a script would, and removes its twin for readers without scripts. */
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

/* Word writes items of lists as paragraphs that begin with a mark, and titles as paragraphs. */

/** The mark of an item with the blanks behind it: a sign, a number or letters. */
const itemMark = /^[\s\u00a0]*(?:(\d{1,4})[.)]|\(?[a-z]{1,6}[.)]|[·•o§Øüv■▪–-]|[\uf000-\uf0ff])[\s\u00a0]*$/i;
/** Of a level of a list, in points. */
const indent = 36;
const points: Readonly<Record<string, number>> = { pt: 1, in: 72, cm: 28.3, mm: 2.83, px: 0.75 };
const maxLevel = 9;

function levelWordLists(document: DomDocument): void {
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

/* A browser shows one panel of tabs. In a text the panels follow each other, each with its label. */

/** ARIA (Docusaurus and most others), Bootstrap, MkDocs Material, sphinx-design. */
const tabSelector =
  '[role="tab"], [data-toggle="tab"], [data-bs-toggle="tab"], .tabbed-labels > label, .tabbed-set > label, .sd-tab-set > label';
const panelSelector = '[role="tabpanel"], .tab-pane, .tabbed-block';
/** Panels directly after their label. */
const besideSelector = '.tabbed-content, .sd-tab-content';
const rowSelector = '[role="tablist"], .tabbed-labels, .nav';
/** In characters. A longer text is more than a label. */
const maxLabel = 60;
const maxTabs = 400;
/** Elements above a row of tabs, one of which holds the panels, too. */
const maxAbove = 3;

/** Puts the label of each tab as a heading above what the tab shows. A tab whose panel is empty or not found stays as it is. */
export function labelTabPanels(document: DomDocument): void {
  const tabs = elementsIn(document, tabSelector).slice(0, maxTabs);
  if (tabs.length === 0) return;
  const byId = new Map<string, DomNode>();
  for (const panel of elementsIn(document, panelSelector)) {
    const id = panel.getAttribute('id') ?? '';
    if (id !== '') byId.set(id, panel);
  }
  const labelled = new Set<DomNode>();
  const within = new Map<DomNode, DomNode[]>();
  for (const [row, own] of Map.groupBy(tabs, (tab) => tab.parentNode?.closest(rowSelector) ?? tab.parentNode)) {
    const inOrder = panelsBeside(row, own.length, within);
    for (const [i, tab] of own.entries()) {
      const next = tab.nextElementSibling;
      const panel = byId.get(targetOf(tab)) ?? (next?.matches(besideSelector) === true ? next : inOrder[i]);
      const label = spaced(tab);
      if (panel === undefined || labelled.has(panel) || spaced(panel) === '') continue;
      if (label === '' || label.length > maxLabel) continue;
      labelled.add(panel);
      tab.remove();
      const own = panel.querySelector('h1, h2, h3, h4, h5, h6');
      if (own !== null && spaced(own).toLowerCase() === label.toLowerCase()) continue;
      // Below any heading of the panel itself.
      const heading = document.createElement('h6');
      heading.textContent = label;
      panel.prepend(heading);
    }
  }
}

function targetOf(tab: DomNode): string {
  const names = ['aria-controls', 'data-bs-target', 'data-target', 'href'].map((name) => tab.getAttribute(name));
  return names.find((name) => name !== null)?.replace(/^[^#]*#/, '') ?? '';
}

/** As many panels as a row has tabs, in an element that holds both; none if there are more or fewer. */
function panelsBeside(row: DomNode | null, count: number, within: Map<DomNode, DomNode[]>): DomNode[] {
  let scope = row?.parentNode ?? null;
  for (let level = 0; level < maxAbove && scope !== null; level += 1, scope = scope.parentNode) {
    // Adjacent rows share the search.
    const panels = within.get(scope) ?? outerPanels(scope);
    within.set(scope, panels);
    if (panels.length === count) return panels;
    if (panels.length > count) return [];
  }
  return [];
}

/** The outermost panels in an element: panels may contain tabs. */
function outerPanels(scope: DomNode): DomNode[] {
  const all = new Set(scope.querySelectorAll(panelSelector));
  return [...all].filter(({ parentNode }) => {
    const above = parentNode?.closest(panelSelector) ?? null;
    return above === null || !all.has(above);
  });
}

function spaced(element: DomNode): string {
  return (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}
