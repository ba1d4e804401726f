import type { AnalysisInfo, ContentType } from './content.ts';
import { locatorAt, type Transcript } from './document.ts';
import type { TextSpan } from '../text/graphemes.ts';
import type { Locator } from './locator.ts';
import { createDeepLinks } from '../links/deep-links.ts';

/** What an analyst found in a text; a quote is where it stands there. */
export interface Analysis {
  summary: string | null;
  insights: { text: string; quote: TextSpan | null }[];
  /** `reason` is the text's own; `goalReason` says why it serves the goal. */
  actions: {
    title: string;
    reason: string | null;
    quote: TextSpan;
    goalId: string | null;
    goalReason?: string | null | undefined;
  }[];
  /** Entries that were left out because their quote does not stand in the text, or does not bear what they say. */
  droppedQuotes: number;
}

/** Actions of one item; more would bury the ones that matter. */
export const maxActions = 7;

/** A quote with its words, and the link that opens the source there. */
interface PlacedQuote {
  quote: string;
  start: number;
  end: number;
  locator: Locator;
  url: string | null;
}

type NoQuote = { [Field in keyof PlacedQuote]: null };

/** An analysis as it is kept: quotes are found in the text, locators and links are made. */
export interface PlacedAnalysis {
  summary: string | null;
  insights: ({ text: string } & (PlacedQuote | NoQuote))[];
  actions: (Omit<Analysis['actions'][number], 'quote'> & PlacedQuote)[];
  info: AnalysisInfo;
}

/** The item that an analysis is of, as far as its links need it. */
export interface AnalysedItem {
  url: string;
  contentType: ContentType;
}

/** `placeAnalysis`, away from the thread that calls it; accounts take turns. */
export type PlaceAnalysis = (
  ...parts: [...Parameters<typeof placeAnalysis>, signal: AbortSignal, accountId?: string]
) => Promise<PlacedAnalysis>;

/**
 * Checks an analysis against the text and gives every quote its place. A quote whose span is not a part of the text is
 * dropped and counted, and an action without a quote goes with it: nothing unverified is kept.
 */
export function placeAnalysis(
  analysis: Analysis,
  transcript: Transcript,
  item: AnalysedItem,
  info: Omit<AnalysisInfo, 'droppedQuotes'>,
): PlacedAnalysis {
  let droppedQuotes = analysis.droppedQuotes;
  const linkTo = createDeepLinks(item, transcript);
  const place = ({ start, end }: TextSpan): PlacedQuote | null => {
    const quote = transcript.text.slice(start, end);
    const isInside = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end <= transcript.text.length;
    // Half a surrogate pair would not come back from the store as it went in.
    if (!isInside || quote.trim() === '' || !quote.isWellFormed()) {
      droppedQuotes += 1;
      return null;
    }
    const locator = locatorAt(transcript, start, end);
    return { quote, start, end, locator, url: linkTo(locator) };
  };

  const insights: PlacedAnalysis['insights'] = [];
  for (const { text, quote } of analysis.insights) {
    const placed = quote === null ? null : place(quote);
    insights.push({ text, ...(placed ?? { quote: null, start: null, end: null, locator: null, url: null }) });
  }
  const actions: PlacedAnalysis['actions'] = [];
  for (const { quote, ...action } of analysis.actions) {
    if (actions.length === maxActions) break;
    const placed = place(quote);
    if (placed !== null) actions.push({ ...action, ...placed });
  }
  return { summary: analysis.summary, insights, actions, info: { ...info, droppedQuotes } };
}
