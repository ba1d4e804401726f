import { type Box, boxesAbove, createBox, nearestBox } from './block-elements.ts';
import type { DomNode } from '../html/dom-node.ts';
import { noteRef, noteText } from '../html/footnotes.ts';
import type { KnownMarkings } from '../class-hints.ts';

/** A run of text between two block boundaries. */
export interface TextBlock {
  box: Box;
  nodes: DomNode[];
  text: string;
  words: number;
  chars: number;
  linkChars: number;
  links: number;
  /** Whether all of its text is bold. `inButton`: whether its first text is in a button. */
  inStrong: boolean;
  inButton: boolean;
  inFormula: boolean;
  images: number;
  /** Labels of the notes to which it refers. `note`: label of the note of which it is the text, or null. */
  notes: string[];
  note: string | null;
}

const silent = new Set(
  'script style template svg iframe object head select textarea audio video canvas embed'.split(' '),
);
const blockTags = new Set(
  (
    'address article aside blockquote body button caption center dd details dialog div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);

/** A page with fewer words has hardly any text, or keeps it in `noscript`. */
const fewWords = 100;

/** The text blocks of a page in reading order. Does not change the DOM. */
export function blocksOfPage(root: DomNode): TextBlock[] {
  const blocks = pageBlocks(root, false);
  // Script-built forums keep their text in `noscript`, for readers without scripts.
  return blocks.reduce((sum, { words }) => sum + words, 0) < fewWords ? pageBlocks(root, true) : blocks;
}

function pageBlocks(body: DomNode, withNoscript: boolean): TextBlock[] {
  const blocks: TextBlock[] = [];
  const known: KnownMarkings = new Map();
  let run = emptyRun();
  let inLink = 0;
  let inStrong = 0;
  let inButton = 0;
  let inFormula = 0;
  let note: string | null = null;

  const flush = (box: Box): void => {
    if (run.nodes.length === 0) {
      run.images = 0;
      return;
    }
    const { parts, ...about } = run;
    const text = parts.join('').replaceAll(/\s+/gu, ' ').trim();
    if (text !== '') {
      const [words, chars] = [countRoughly(text), text.length];
      const linkChars = Math.min(run.linkChars, chars);
      blocks.push({ ...about, inFormula: run.inFormula === true, box, text, words, chars, linkChars, note });
      const prose = run.linkChars < chars / 3 && (box.tag === 'p' || words > 20) ? words : 0;
      for (const at of boxesAbove(box)) {
        if (at.blocks === 0) at.first = blocks.length - 1;
        at.blocks += 1;
        at.words += words;
        at.chars += chars;
        at.linkChars += linkChars;
        at.proseWords += prose;
      }
    }
    run = emptyRun();
  };

  const visit = (node: DomNode, box: Box): void => {
    if (node.nodeType === 3) {
      const data = node.data ?? '';
      if (data === '') return;
      run.nodes.push(node);
      run.parts.push(data);
      if (run.nodes.length === 1) {
        run.inStrong = inStrong > 0;
        run.inButton = inButton > 0;
      } else if (inStrong === 0 && data.trim() !== '') run.inStrong = false;
      if (data.trim() !== '') run.inFormula = inFormula > 0 && run.inFormula !== false;
      if (inLink > 0) run.linkChars += data.trim().length;
      return;
    }
    if (node.nodeType !== 1) return;
    const tag = node.localName.toLowerCase();
    if (silent.has(tag) || (tag === 'noscript' && !withNoscript)) return;
    if (tag === 'br') {
      run.parts.push(' ');
      return;
    }
    if (tag === 'img') {
      run.images += 1;
      return;
    }
    const isBlock = blockTags.has(tag) || tag === 'td' || tag === 'th';
    let inner = box;
    const around = note;
    if (isBlock) {
      flush(box);
      inner = createBox(node, tag, box, known);
      note = node.getAttribute(noteText) ?? note;
    }
    if (tag === 'a') {
      inLink += 1;
      run.links += 1;
      const ref = node.getAttribute(noteRef);
      if (ref !== null) run.notes.push(ref);
    }
    if (tag === 'math') inFormula += 1;
    if (tag === 'strong' || tag === 'b') inStrong += 1;
    if (tag === 'button') inButton += 1;
    for (let child = node.firstChild; child !== null; child = child.nextSibling) visit(child, inner);
    if (tag === 'a') inLink -= 1;
    if (tag === 'strong' || tag === 'b') inStrong -= 1;
    if (tag === 'button') inButton -= 1;
    if (tag === 'math') inFormula -= 1;
    if (isBlock) flush(inner);
    note = around;
  };

  const root = createBox(body, 'body', null, known);
  for (let child = body.firstChild; child !== null; child = child.nextSibling) visit(child, root);
  flush(root);
  return blocks;
}

function emptyRun() {
  return {
    nodes: [] as DomNode[],
    parts: [] as string[],
    linkChars: 0,
    links: 0,
    inStrong: false,
    inButton: false,
    inFormula: null as boolean | null,
    images: 0,
    notes: [] as string[],
  };
}

/** Counts words approximately as `countWords` does, ten times as fast. */
export function countRoughly(text: string): number {
  let count = 0;
  let inWord = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= 0x2e80 && code < 0xd7b0 && !(code >= 0x3000 && code < 0x3040)) {
      count += 1;
      inWord = false;
      continue;
    }
    const isWord =
      (code >= 0x61 && code <= 0x7a) ||
      (code >= 0x30 && code <= 0x39) ||
      (code >= 0x41 && code <= 0x5a) ||
      (code >= 0xc0 && (code < 0x2000 || code > 0x206f));
    if (isWord && !inWord) count += 1;
    inWord = isWord || (inWord && (code === 0x27 || code === 0x2019));
  }
  return count;
}

const maxNested = 3;

/** The table around a box. If that table is in a cell of a table with heads, the outer one. */
function tableAround(box: Box, headed: ReadonlySet<Box>): Box | null {
  let table = nearestBox(box, 'table');
  for (let n = 0; n < maxNested && table?.parent; n += 1) {
    const outer = nearestBox(table.parent, 'table');
    if (outer === null || !headed.has(outer)) break;
    table = outer;
  }
  return table;
}

/** The block indexes of each data table. Few blocks, a nested table without heads, or long cells show a page's layout. */
export function dataTables(blocks: readonly TextBlock[]): number[][] {
  const tables = new Map<Box, number[]>();
  const headed = new Set<Box>();
  for (const { box } of blocks) {
    const table = box.tag === 'th' ? nearestBox(box, 'table') : null;
    if (table !== null) headed.add(table);
  }
  for (const [i, { box }] of blocks.entries()) {
    const table = tableAround(box, headed);
    if (table === null) continue;
    const cells = tables.get(table) ?? [];
    cells.push(i);
    tables.set(table, cells);
  }
  return [...tables]
    .filter(([table, cells]) => cells.length >= 4 && table.blocks === cells.length && table.words / cells.length <= 30)
    .map(([, cells]) => cells);
}

const rowParts = new Set(['td', 'th']);

/** Elements around a picture that hold nothing else, at most: `div > figure > a > picture > img`. */
const maxAroundPicture = 4;

interface Pruned {
  stays: boolean;
  /** Elements that are only around a picture that follows a kept block, with the picture; else 0. */
  wrappers: number;
}

function whether(stays: boolean): Pruned {
  return { stays, wrappers: 0 };
}

/** Removes everything from a page except the chosen blocks, the images between and directly behind them and the boxes to tick before one. */
export function keepBlocks(root: DomNode, blocks: readonly TextBlock[], kept: readonly boolean[]): void {
  const blockOf = new Map<DomNode, number>();
  for (const [i, { nodes }] of blocks.entries()) for (const node of nodes) blockOf.set(node, i);
  let last = -1;
  const prune = (node: DomNode): Pruned => {
    if (node.nodeType === 3) {
      const block = blockOf.get(node);
      if (block !== undefined) last = block;
      return whether(block !== undefined && kept[block] === true);
    }
    if (node.nodeType !== 1) return whether(false);
    const tag = node.localName.toLowerCase();
    if (tag === 'img') {
      if (kept[last] !== true) return whether(false);
      return kept[last + 1] === true ? whether(true) : { stays: false, wrappers: 1 };
    }
    if (tag === 'input') return whether(node.getAttribute('type') === 'checkbox' && kept[last + 1] === true);
    if (tag === 'br' || tag === 'hr') return whether(kept[last] === true);
    let stays = false;
    let paragraphs = 0;
    let wrappers = 0;
    const empty: DomNode[] = [];
    for (let child = node.firstChild; child !== null;) {
      const next: DomNode | null = child.nextSibling;
      const result = prune(child);
      const isPicture = result.wrappers > 0;
      // After the last paragraph of a text, a picture is kept if it is in the same box.
      if (result.stays || (isPicture && paragraphs > 1)) stays = true;
      else empty.push(child);
      if (isPicture) wrappers = result.wrappers + 1;
      if (result.stays && child.localName === 'p') paragraphs += 1;
      child = next;
    }
    if (!stays && wrappers > 0 && wrappers <= maxAroundPicture) return { stays, wrappers };
    // Removing some cells of a row would shift the others.
    for (const child of empty) if (!stays || !rowParts.has(child.localName)) child.remove();
    return whether(stays);
  };
  for (let child = root.firstChild; child !== null;) {
    const next: DomNode | null = child.nextSibling;
    if (!prune(child).stays) child.remove();
    child = next;
  }
}
