import type { AnalysisInfo, ContentType } from './content.ts';
import type { TagProposals } from './tag-proposals.ts';
import type { TextSpan } from '../text/graphemes.ts';
import type { ActionPriority } from './action.ts';
import type { Locator } from './locator.ts';

/** The findings of an analyst. Each quote is a span of the text. */
export interface Analysis {
  summary: string | null;
  /** The goal that an insight serves is left out where nobody has looked for it. */
  insights: {
    text: string;
    quote: TextSpan | null;
    goalId?: string | null | undefined;
    goalReason?: string | null | undefined;
  }[];
  /** `reason` is the reason that the text gives; `goalReason` says why the action serves the goal. */
  actions: {
    title: string;
    reason: string | null;
    quote: TextSpan;
    goalId: string | null;
    goalReason?: string | null | undefined;
    /** The day by which it is to be done: `2026-03-31`. */
    due?: string | null | undefined;
    /** Undefined: the analyst does not say; it stays as it was. */
    priority?: ActionPriority | undefined;
  }[];
  /** Tags for the item, in the author's spelling. */
  tags?: readonly string[] | undefined;
  /** What of the text was not read, in words for a person; absent when all was. */
  unread?: string;
  /** Number of entries left out because their quote is not in the text, or does not support them. */
  droppedQuotes: number;
}

/** Actions per item; more would hide the ones that matter. */
export const maxActions = 7;
/** Tasks of a note of one's own: all that it lists. */
export const maxTasks = 50;

/** A quote with its words, and the link that opens the source at it. */
export interface PlacedQuote {
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
  insights: (Omit<Analysis['insights'][number], 'quote'> & (PlacedQuote | NoQuote))[];
  actions: (Omit<Analysis['actions'][number], 'quote'> & PlacedQuote)[];
  info: AnalysisInfo;
  tags?: TagProposals | undefined;
}

/** The fields of the analysed item that its links need. */
export interface AnalysedItem {
  /** Null for an uploaded file and for a note. */
  url: string | null;
  contentType: ContentType;
}
