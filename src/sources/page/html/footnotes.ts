import { elementsIn, type DomDocument, type DomNode } from './dom-node.ts';

/** Attribute of a link to a note, with the note's label. */
export const noteRef = 'data-note-ref';
/** Attribute of an element that holds the text of a note, with its label. */
export const noteText = 'data-note';

/** The notes of a book, each of whose files may number its own from 1: they are numbered again over the whole book. */
export interface BookNotes {
  /** Path of the file that a link of the open chapter leads to, and of the chapter for an empty one. */
  locate: (href: string) => string | null;
  names: Map<string, string>;
  /** The book's labels of notes, in the order of their numbers. */
  written: string[];
}

function nameInBook({ names, written }: BookNotes, key: string, shown: string): string {
  if (!names.has(key)) names.set(key, String(written.push(shown)));
  return names.get(key) ?? '';
}

function keyOf(link: DomNode, { locate }: BookNotes): string {
  return `${locate((link.getAttribute('href') ?? '').split('#', 1)[0] ?? '') ?? ''}#${hashOf(link)}`;
}

const label = /^\s*\[?\(?(\d{1,4}|[a-z]|[*†‡§]{1,3})\)?\]?\s*$/iu;
const notePlace = /(?:foot|end|side)?-?note|reference|citation|(?:^|[\s_-])(?:fn|ftn|edn)/i;
const backLink = /^[\s\p{Emoji_Presentation}\uFE0E\uFE0F↩↑⤴⏎←^]*$/u;
const maxNotes = 5_000;
/** Elements above a note, one of which may say by its class that it holds notes. */
const maxAbove = 3;

/**
 * Marks footnotes and the links to them, so that they are written as `[^1]` and `[^1]: text`. A link is one if its text is
 * a number or sign and it leads to a note on the same page. Links back to the text are removed.
 */
export function markFootnotes(document: Pick<DomDocument, 'querySelectorAll'>, book: BookNotes | null = null): void {
  const links = elementsIn(document, 'a[href*="#"]')
    .filter(
      (link) => isReference(link) && (book === null || keyOf(link, book) === `${book.locate('')}#${hashOf(link)}`),
    )
    .slice(0, maxNotes);
  if (links.length === 0) return;
  const byId = new Map<string, DomNode>();
  for (const element of elementsIn(document, '[id], a[name]')) {
    for (const name of ['id', 'name']) {
      const id = element.getAttribute(name) ?? '';
      if (id !== '' && !byId.has(id)) byId.set(id, element);
    }
  }
  /** By id: a note that is named often is looked at once. */
  const notes = new Map<string, DomNode | null>();
  const labels = new Map<DomNode, string>();
  const places = new Set<string>();
  const taken = new Set<string>();
  for (const link of links) {
    const hash = hashOf(link);
    if (!notes.has(hash)) notes.set(hash, noteAt(byId.get(hash) ?? null));
    const target = notes.get(hash) ?? null;
    if (target === null) continue;
    let name = labels.get(target);
    if (name === undefined) {
      const written = label.exec(link.textContent ?? '')?.[1] ?? '';
      name = /^\w+$/.test(written) && !taken.has(written) ? written : String(labels.size + 1);
      while (taken.has(name)) name = `${name}a`;
      if (book !== null) name = nameInBook(book, keyOf(link, book), written);
      taken.add(name);
      labels.set(target, name);
    }
    link.setAttribute(noteRef, name);
    for (const one of [link, link.parentNode]) {
      for (const id of [one?.getAttribute('id'), one?.getAttribute('name')]) if (id) places.add(id);
    }
  }
  for (const [note, name] of labels) {
    for (const link of note.querySelectorAll('a'))
      if (backLink.test(link.textContent ?? '') || (places.has(hashOf(link)) && label.test(link.textContent ?? '')))
        link.remove();
    note.setAttribute(noteText, name);
  }
}

/** Marks links to notes in other files of a book, and the notes that earlier files refer to. */
export function markNotesOfBook(document: Pick<DomDocument, 'querySelectorAll'>, book: BookNotes): void {
  const seen = new Set<DomNode>();
  for (const element of elementsIn(document, '[id]')) {
    const name = book.names.get(`${book.locate('')}#${element.getAttribute('id')}`);
    const note = name === undefined ? null : placeOf(element);
    if (name === undefined || note === null || seen.has(note) || note.closest(`[${noteText}]`) !== null) continue;
    seen.add(note);
    if ((note.textContent ?? '').length <= maxNoteLength) note.setAttribute(noteText, name);
  }
  /** How the paragraph around a link begins. */
  const starts = new Map<DomNode | null, string>();
  for (const link of elementsIn(document, 'a[href*="#"]')) {
    const written = label.exec(link.textContent ?? '')?.[1] ?? '';
    if (!/^\d+$/.test(written) || link.getAttribute(noteRef) !== null || !(isReference(link) || isGlued(link)))
      continue;
    // A link back from the note itself begins its paragraph.
    const around = link.closest('p, li, div, aside');
    const start = starts.get(around) ?? (around?.textContent ?? '').trimStart().slice(0, 4);
    starts.set(around, start);
    if (start.startsWith(written) || book.written.length >= maxNotes) continue;
    link.setAttribute(noteRef, nameInBook(book, keyOf(link, book), written));
  }
}

/** Whether a link follows a word or sentence without a space, like a superscript. */
function isGlued({ previousSibling }: DomNode): boolean {
  return /[\p{L}.,;:!?)”’"']$/u.test((previousSibling?.textContent ?? '').slice(-1));
}

const wordNote = /^_?(?:ftnt?|edn)\d{1,4}$/;

function isReference(link: DomNode): boolean {
  const text = link.textContent ?? '';
  if (text.length > 12 || !label.test(text)) return false;
  return (
    link.closest('sup') !== null ||
    link.querySelectorAll('sup')[Symbol.iterator]().next().done !== true ||
    wordNote.test(hashOf(link)) ||
    /note|\bfn/i.test(['class', 'role', 'epub:type'].map((name) => link.getAttribute(name) ?? '').join(' '))
  );
}

/** The element with a note's text: the one with its id, or the item or paragraph around that. */
function noteAt(named: DomNode | null): DomNode | null {
  if (named === null) return null;
  const note = placeOf(named);
  if (
    note === null ||
    note.closest('sup') !== null ||
    !(isNote(note) || wordNote.test(named.getAttribute('id') ?? named.getAttribute('name') ?? ''))
  )
    return null;
  return (note.textContent ?? '').length <= maxNoteLength ? note : null;
}

function placeOf(named: DomNode): DomNode | null {
  if (/^(?:LI|P|DD|ASIDE|DIV|TD)$/.test(named.nodeName)) return named;
  return named.closest('li, p, dd, td') ?? named.closest('div');
}

/** In characters. A longer element holds several notes, or is not a note. */
const maxNoteLength = 3_000;

function hashOf(link: DomNode): string {
  const href = link.getAttribute('href') ?? '';
  const hash = href.slice(href.indexOf('#') + 1);
  try {
    return decodeURIComponent(hash);
  } catch (error) {
    if (error instanceof URIError) return hash;
    throw error;
  }
}

/** Whether an element is a note, by its own name or a surrounding element's. */
function isNote(element: DomNode): boolean {
  let at: DomNode | null = element;
  for (
    let level = 0;
    level <= maxAbove && at !== null && at.getAttribute !== undefined;
    level += 1, at = at.parentNode
  ) {
    const names = ['id', 'class', 'role', 'epub:type'].map((name) => at?.getAttribute(name) ?? '').join(' ');
    if (notePlace.test(names.slice(0, 300))) return true;
  }
  return false;
}
