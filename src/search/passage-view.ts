import type { TextSpan } from '../domain/text/graphemes.ts';
import type { Locator } from '../domain/records/texts/locator.ts';
import { shortened } from '../domain/text/shortened.ts';
import { tokensOf } from '../domain/text/token-budget.ts';
import { hiddenSpans, readableText } from '../domain/text/readable-text.ts';
import { shortenTexts } from './shorten.ts';
import type { AnsweringPassage } from './item-search.ts';
import { deepLink } from '../domain/links/url.ts';
import type { FoundPassage, PassagePart, PassagePlace } from '../store/records/search-records.ts';

export interface SearchPassage {
  text: string;
  /** Where words of the question occur in `text`: pairs of offsets, UTF-16 units. Absent when none does. */
  highlights?: [start: number, end: number][];
  /** The headings above it, outermost first, without one that repeats the item's title. Absent when there is none. */
  headingPath?: string[];
  /** Present when the rest of the passage comes with a later cursor, or came with an earlier one. */
  isPart?: true;
  /** The person's notes on highlights of this passage, and quotes that are not in its text. Only those with words of the question. */
  notes?: string[];
  /** Items with nearly the same passage, which is therefore not shown again. */
  alsoIn?: string[];
  locator: Locator;
  /** Opens the source at this place; null in an uploaded file and in a note. */
  url: string | null;
  score: number;
}

/** Maximum number of items in `alsoIn`: for a text that occurs everywhere, more are not needed. */
const maxAlsoIn = 5;

/** Share of the budget for a link to one place. A longer link is replaced by one to the whole item. */
const linkShare = 0.3;
/** Share of the budget for the headings. The outermost are left out first. */
const headingShare = 0.1;

/** Finds the words of the question in a text of a language. */
export type FindTerms = (text: string, language: string | null) => TextSpan[];

/** A passage as it is shown, and its cost in tokens. */
export interface ShownPassage {
  shown: SearchPassage;
  cost: number;
}

export type ShowPassage = (passage: AnsweringPassage, span: TextSpan) => ShownPassage;

/**
 * Shows `passage.text.slice(start, end)` with its place and the link that opens it. Results are cached, because the
 * same parts are asked for until all fit together.
 * @param write how the answer passes a passage on, with its text as a reader sees it; absent: the whole passage
 */
export function createPassageView(
  places: PassagePlaces,
  findTerms: FindTerms,
  budget: number,
  write?: (shown: SearchPassage, address: string | null) => unknown,
): ShowPassage {
  const known = new Map<string, ShownPassage>();
  const show = createShow(places, findTerms, budget, write === undefined ? wholeText : createReadableTexts());
  const costOf = (shown: SearchPassage, passage: AnsweringPassage) =>
    tokensOf(write === undefined ? shown : write(shown, linkedAddressOf(passage)));
  return (passage, span) => {
    const key = `${passage.passageId} ${span.start} ${span.end}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const shown = show(passage, span);
    const made = { shown, cost: costOf(shown, passage) };
    known.set(key, made);
    return made;
  };
}

function createShow(
  places: PassagePlaces,
  findTerms: FindTerms,
  budget: number,
  textOf: TextOf,
): (passage: AnsweringPassage, span: TextSpan) => SearchPassage {
  return (passage, span) => {
    const text = textOf(passage, span);
    const highlights = joinNeighbours(text, findTerms(text, passage.itemLanguage));
    const headings = fittingHeadings(passage, budget * headingShare);
    const { locator, url } = places.of({ passage, span });
    const maxUrlTokens = budget * linkShare;
    return {
      text,
      ...(highlights.length > 0 && { highlights }),
      ...(headings.length > 0 && { headingPath: headings }),
      ...(span.end - span.start < passage.text.length && { isPart: true }),
      ...notesOf(passage.marks ?? [], (note) => findTerms(note, passage.itemLanguage)),
      ...(passage.alsoIn !== undefined && { alsoIn: passage.alsoIn.slice(0, maxAlsoIn) }),
      locator,
      url:
        url === null || tokensOf(url) <= maxUrlTokens
          ? url
          : shortenTexts({ url: linkedAddressOf(passage) }, maxUrlTokens).url,
      score: roundScore(passage.score),
    };
  };
}

/** Notes and their characters that a passage shows. */
const maxNotes = 2;
const maxNote = 400;

function notesOf(marks: readonly string[], findTerms: (note: string) => TextSpan[]): Pick<SearchPassage, 'notes'> {
  const notes = marks.filter((mark) => findTerms(mark).length > 0).slice(0, maxNotes);
  return notes.length === 0 ? {} : { notes: notes.map((note) => shortened(note, maxNote)) };
}

type TextOf = (passage: AnsweringPassage, span: TextSpan) => string;

const wholeText: TextOf = ({ text }, { start, end }) => text.slice(start, end);

/** Text as a reader sees it. When that would be empty, as for an image alone, the stored text. */
function createReadableTexts(): TextOf {
  const hidden = new Map<number, TextSpan[]>();
  return (passage, span) => {
    const spans = hidden.get(passage.passageId) ?? hiddenSpans(passage.text);
    hidden.set(passage.passageId, spans);
    return readableText(passage.text, spans, span) || wholeText(passage, span);
  };
}

/** Maximum gap between adjacent words, in UTF-16 units: three characters. */
const widestGap = 6;

/** Joins the ranges of adjacent words. */
function joinNeighbours(text: string, spans: readonly TextSpan[]): [number, number][] {
  const joined: [number, number][] = [];
  for (const { start, end } of spans) {
    const last = joined.at(-1);
    if (last !== undefined && start - last[1] <= widestGap && standSideBySide(text, last[1], start)) last[1] = end;
    else joined.push([start, end]);
  }
  return joined;
}

/**
 * Whether two words are adjacent: only one space between them (the common case), or other characters that join words.
 */
function standSideBySide(text: string, end: number, start: number): boolean {
  if (start - end === 1 && text.charCodeAt(end) === 0x20) return true;
  return /^[\s\-\p{Pd}'’]{0,3}$/u.test(text.slice(end, start));
}

function fittingHeadings({ headingPath, itemTitle }: AnsweringPassage, maxTokens: number): string[] {
  const headings = headingPath[0] === itemTitle ? headingPath.slice(1) : headingPath;
  const first = headings.findIndex((_, index) => tokensOf(headings.slice(index)) <= maxTokens);
  return first === -1 ? [] : headings.slice(first);
}

/** Four decimals distinguish two scores and cost a model few tokens to read. */
export function roundScore(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}

/** A part of a passage. */
export interface CitedPart {
  passage: FoundPassage & Pick<AnsweringPassage, 'place'>;
  span: TextSpan;
}

/** Where a part is, and the link that opens its source there. */
interface CitedPlace {
  locator: Locator;
  /** Null in an uploaded file and in a note. */
  url: string | null;
}

/** Finds where parts of passages are. Results are cached. */
type PassagePlaces = ReturnType<typeof createPassagePlaces>;

/** @param locate null for a passage that is gone */
export function createPassagePlaces(locate: (parts: readonly PassagePart[]) => readonly (PassagePlace | null)[]) {
  const known = new Map<string, CitedPlace>();
  const find = (parts: readonly CitedPart[]): void => {
    const unknown = parts.filter((part) => placeAtHand(part) === null && !known.has(keyOf(part)));
    if (unknown.length === 0) return;
    const found = locate(unknown.map(({ passage: { passageId }, span }) => ({ passageId, ...span })));
    for (const [index, part] of unknown.entries()) known.set(keyOf(part), toPlace(part, found[index] ?? null));
  };
  return {
    /** Looks up all of these at once. */
    find,
    of(part: CitedPart): CitedPlace {
      const atHand = placeAtHand(part);
      if (atHand !== null) return toPlace(part, atHand);
      if (!known.has(keyOf(part))) find([part]);
      return known.get(keyOf(part)) ?? toPlace(part, null);
    },
  };
}

function keyOf({ passage: { passageId }, span: { start, end } }: CitedPart): string {
  return `${passageId} ${start} ${end}`;
}

/**
 * The place of a part, when it is known without a request: a passage of a recording or of pages holds its start, and
 * others may have got their place from the search.
 */
function placeAtHand({ passage, span }: CitedPart): PassagePlace | null {
  if (span.start > 0) return null;
  if (passage.locator.kind !== 'text') return { locator: passage.locator, fragment: null };
  return span.end === passage.text.length ? (passage.place ?? null) : null;
}

/** Base URL for links to places: that of the archived copy if the text came from one. */
export function linkedAddressOf({ itemUrl, itemCopy }: Pick<FoundPassage, 'itemUrl' | 'itemCopy'>): string | null {
  return itemCopy?.url ?? itemUrl;
}

/** @param found null: the passage is gone, and the link opens the whole item */
export function toPlace({ passage, span }: CitedPart, found: PassagePlace | null): CitedPlace {
  const locator: Locator =
    found?.locator ??
    (passage.locator.kind === 'text'
      ? { kind: 'text', start: passage.start + span.start, end: passage.start + span.end }
      : passage.locator);
  const address = linkedAddressOf(passage);
  return { locator, url: address === null ? null : deepLink(address, locator, found?.fragment ?? null) };
}
