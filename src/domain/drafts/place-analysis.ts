import { createDeepLinks } from '../links/deep-links.ts';
import {
  maxActions,
  maxTasks,
  type AnalysedItem,
  type Analysis,
  type PlacedAnalysis,
  type PlacedQuote,
} from '../records/analyses/analysis.ts';
import { analysisInfo, type AnalysisInfo, type TagProposals } from '../records/content.ts';
import { locatorAt, type Transcript } from '../records/texts/document.ts';
import type { TextSpan } from '../text/graphemes.ts';

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
  for (const { quote, ...insight } of analysis.insights) {
    const placed = quote === null ? null : place(quote);
    insights.push({ ...insight, ...(placed ?? { quote: null, start: null, end: null, locator: null, url: null }) });
  }
  const actions: PlacedAnalysis['actions'] = [];
  for (const { quote, ...action } of analysis.actions) {
    if (actions.length === (info.by === 'extractive' ? maxTasks : maxActions)) break;
    const placed = place(quote);
    if (placed !== null) actions.push({ ...action, ...placed });
  }
  const { summary, unread } = analysis;
  // Parsed, so that its fields have the order in which an import reads them: an export of an imported export is the same.
  const whole = analysisInfo.parse({ ...info, droppedQuotes, ...(unread !== undefined && { unread }) });
  const tags = analysis.tags === undefined ? {} : { tags: namedTags(analysis.tags) };
  return { summary, insights, actions, info: whole, ...tags };
}

/** The score of a tag that an analyst names. */
const namedScore = 0.6;

function namedTags(tags: readonly string[]): TagProposals {
  const found = tags.map((tag) => ({ tag, reason: 'the analysis names it', score: namedScore }));
  return { found, areComputed: false, areApplied: false };
}
