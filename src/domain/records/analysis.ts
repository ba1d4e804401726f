import type { AnalysisInfo, ContentType } from './content.ts';
import { locatorAt, type Transcript } from './document.ts';
import type { TextSpan } from '../text/graphemes.ts';
import type { Locator } from './locator.ts';
import { createDeepLinks } from '../links/deep-links.ts';

/** The findings of an analyst. Each quote is a span of the text. */
export interface Analysis {
  summary: string | null;
  insights: { text: string; quote: TextSpan | null }[];
  /** `reason` is the reason that the text gives; `goalReason` says why the action serves the goal. */
  actions: {
    title: string;
    reason: string | null;
    quote: TextSpan;
    goalId: string | null;
    goalReason?: string | null | undefined;
  }[];
  /** Number of entries left out because their quote is not in the text, or does not support them. */
  droppedQuotes: number;
}

/** Actions per item; more would hide the ones that matter. */
export const maxActions = 7;

/** A quote with its words, and the link that opens the source at it. */
interface PlacedQuote {
  quote: string;
  start: number;
  end: number;
  locator: Locator;
  url: string | null;
}

type NoQuote = { [Field in keyof PlacedQuote]: null };

/** An analysis as it is stored: quotes are located in the text and have locators and links. */
export interface PlacedAnalysis {
  summary: string | null;
  insights: ({ text: string } & (PlacedQuote | NoQuote))[];
  actions: (Omit<Analysis['actions'][number], 'quote'> & PlacedQuote)[];
  info: AnalysisInfo;
}

/** The fields of the analysed item that its links need. */
export interface AnalysedItem {
  /** Null for a note. */
  url: string | null;
  contentType: ContentType;
}

/** `placeAnalysis` on another thread than the caller's; accounts take turns. */
export type PlaceAnalysis = (
  ...parts: [...Parameters<typeof placeAnalysis>, signal: AbortSignal, accountId?: string]
) => Promise<PlacedAnalysis>;

/**
 * Checks an analysis against the text and gives every quote its locator. A quote whose span is not within the text is
 * dropped and counted, and an action without a quote is dropped too: nothing unverified is stored.
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
    // The store would not return half a surrogate pair unchanged.
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
