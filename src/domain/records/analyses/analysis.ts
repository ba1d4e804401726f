import type { AnalysisInfo, ContentType, TagProposals } from '../content.ts';
import type { TextSpan } from '../../text/graphemes.ts';
import type { ActionPriority } from './action.ts';
import type { Locator } from '../texts/locator.ts';

/** The findings of an analyst. Each quote is a span of the text. */
export interface Analysis {
  summary: string | null;
  /** The goal of an insight is absent where it was not looked for. */
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
  /** The part of the text that was not read, described for a person; absent when all was read. */
  unread?: string;
  /** Number of entries left out because their quote is not in the text, or does not support them. */
  droppedQuotes: number;
}

/** Actions per item; more would hide the ones that matter. */
export const maxActions = 7;
/** For a person's own note: all tasks that it lists. */
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

/**
 * Change this whenever these rules or those of the extractive analyst change: it is stored with every analysis. After an update,
 * extractive analyses with another version are renewed.
 */
export const rulesVersion = '2026-12-01c';

/** A title that announces a list to tick off. */
export const checklist =
  /\b(?:check-?lists?|to-?do(?: list)?|packing list|checkliste|liste de contrôle|lista de verificaci[óo]n|lista de verificação|lista di controllo)\b/i;
const maxOfPage = 3;

/** How many actions an analysis of a page with this title may have, by rules or by a language model. */
export function mostActions(title: string | null): number {
  return checklist.test(title ?? '') ? maxActions : maxOfPage;
}

/** The same limits for an author's words about an item. A text without an address, or in a person's file, is their own. */
export function mostWrittenActions(
  url: string | null,
  { title, contentType }: { title: string | null; contentType: ContentType },
): number {
  return (url === null || url.startsWith('file:')) && contentType === 'text' ? maxActions : mostActions(title);
}

/** The instructions for the author of an analysis: an LLM behind an API, or the connected assistant. */
export const analysisRules = `- "summary": 2 to 5 sentences: what it says, not what it is about. In its own language. It begins with the main claim or result: of a page that refutes something the refutation, of a list its heads, of a product what it is, for whom and its price, of a front page what is listed, of a discussion the question and the best answer, of a paper its findings, of a recording its chapters or claims. Nothing of the page, its sale, its author or its cookies.
- "insights": at most 5, each another claim, number or reason, none the summary again. Each has "text", one sentence that is understood alone (it does not begin with "But", "This" or "It"), and "quote", the sentence or clause that it rests on.
- "actions": at most ${maxOfPage}, of a checklist or of the person's own note ${maxActions}, often none; what serves a goal first. Only what the text itself tells its reader to do, what this person could do and tell when it is done, and what is worth the effort: no general advice, nothing quoted, historical, fictional or said to others, no calls to subscribe, buy, sign up, share or visit. The steps of a procedure are one action; a title names its thing. Each has "title" (an imperative, at most 100 characters, in the words and language of its quote: every number, name and act in it stands there), "quote" (the sentence that asks for it), "goalId" (of the goal that doing it brings nearer, directly and for most people, else null: a shared word is not enough) and "reason" (how it serves that goal or why it is worth doing, one sentence, else null) and "priority" ("high" where waiting does harm or the text presses for it, "low" where it can wait, else "normal").
- "tags": at most 3 of the person's tags, only where they surely fit, and at most one other where none does; often none.
Quotes are copied letter by letter, 8 to 300 characters, nothing left out or added; a program looks for them in the text and throws away what it does not find. No address that the text does not hold. No action at all is a good answer.`;
