import type { TextSpan } from '../../domain/text/graphemes.ts';
import type { Locator } from '../../domain/records/locator.ts';
import { tokensOf } from '../analyses/budget.ts';
import type { PassagePlaces } from './passage-places.ts';
import { shortenTexts } from './shorten.ts';
import type { ScoredPassage } from './scored-passage.ts';

export interface SearchPassage {
  text: string;
  /** Where words of the question stand in `text`: pairs of offsets, UTF-16 units. Absent when none does. */
  highlights?: [start: number, end: number][];
  /** The headings above it, outermost first, without one that repeats the item's title. Absent when there is none. */
  headingPath?: string[];
  /** Present when the rest of the passage comes with a later cursor, or came with an earlier one. */
  isPart?: true;
  /** Items that say nearly the same, whose passage is therefore not shown. */
  alsoIn?: string[];
  locator: Locator;
  /** Opens the source at this place. */
  url: string;
  score: number;
}

/** So many other items are named; of a text that stands everywhere no more need to be known. */
const maxAlsoIn = 5;

/** Of the budget, what a link to one place may take; a longer one leads to the whole item instead. */
const linkShare = 0.3;
/** Of the budget, what the headings may take; the outermost are left out first. */
const headingShare = 0.1;

/** Where a text has words of the question. */
export type FindTerms = (text: string) => TextSpan[];

/** A passage as it is shown, and what that costs in tokens. */
export interface ShownPassage {
  shown: SearchPassage;
  cost: number;
}

export type ShowPassage = (passage: ScoredPassage, span: TextSpan) => Promise<ShownPassage>;

/** Shows `passage.text.slice(start, end)` with its place and the link that opens it. The same ones are asked for until all fit together. */
export function createPassageView(places: PassagePlaces, findTerms: FindTerms, budget: number): ShowPassage {
  const known = new Map<string, Promise<ShownPassage>>();
  const show = createShow(places, findTerms, budget);
  return (passage, span) => {
    const key = `${passage.passageId} ${span.start} ${span.end}`;
    const shown = known.get(key) ?? show(passage, span).then((shown) => ({ shown, cost: tokensOf(shown) }));
    known.set(key, shown);
    return shown;
  };
}

function createShow(
  places: PassagePlaces,
  findTerms: FindTerms,
  budget: number,
): (passage: ScoredPassage, span: TextSpan) => Promise<SearchPassage> {
  return async (passage, span) => {
    const text = passage.text.slice(span.start, span.end);
    const highlights = joinNeighbours(text, findTerms(text));
    const headings = fittingHeadings(passage, budget * headingShare);
    const { locator, url } = await places.of({ passage, span });
    const most = budget * linkShare;
    return {
      text,
      ...(highlights.length > 0 && { highlights }),
      ...(headings.length > 0 && { headingPath: headings }),
      ...(text.length < passage.text.length && { isPart: true }),
      ...(passage.alsoIn !== undefined && { alsoIn: passage.alsoIn.slice(0, maxAlsoIn) }),
      locator,
      url: tokensOf(url) <= most ? url : shortenTexts({ url: passage.itemUrl }, most).url,
      score: roundScore(passage.score),
    };
  };
}

/** So many units are between words that stand side by side, at most: three characters. */
const widestGap = 6;

/** Words that stand side by side are one place. */
function joinNeighbours(text: string, spans: readonly TextSpan[]): [number, number][] {
  const joined: [number, number][] = [];
  for (const { start, end } of spans) {
    const last = joined.at(-1);
    if (last !== undefined && start - last[1] <= widestGap && standSideBySide(text, last[1], start)) last[1] = end;
    else joined.push([start, end]);
  }
  return joined;
}

/** Whether there is but one space between, as there mostly is, or what else joins words. */
function standSideBySide(text: string, end: number, start: number): boolean {
  if (start - end === 1 && text.charCodeAt(end) === 0x20) return true;
  return /^[\s\-\p{Pd}'’]{0,3}$/u.test(text.slice(end, start));
}

function fittingHeadings({ headingPath, itemTitle }: ScoredPassage, maxTokens: number): string[] {
  const headings = headingPath[0] === itemTitle ? headingPath.slice(1) : headingPath;
  const first = headings.findIndex((_, index) => tokensOf(headings.slice(index)) <= maxTokens);
  return first === -1 ? [] : headings.slice(first);
}

/** Four decimals tell two scores apart and cost a model little to read. */
export function roundScore(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
