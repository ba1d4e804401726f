import type { AnalysisInfo } from '../domain/content.ts';
import { locatorAt, type Transcript } from '../domain/document.ts';
import { deepLink } from '../domain/url.ts';
import { mostActions, type Analysis, type QuoteSpan } from '../models/analyst.ts';
import type { AnalysisToKeep } from '../store/store.ts';

/**
 * Checks an analyst's answer against the text and gives every quote its place. A quote whose span is not a
 * part of the text is dropped and counted, and an action without a quote goes with it: nothing unverified is kept.
 */
export function placeAnalysis(
  analysis: Analysis,
  transcript: Transcript,
  itemUrl: string,
  info: Omit<AnalysisInfo, 'droppedQuotes'>,
): AnalysisToKeep {
  let droppedQuotes = analysis.droppedQuotes;
  const place = ({ start, end }: QuoteSpan) => {
    const quote = transcript.text.slice(start, end);
    const isInside = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end <= transcript.text.length;
    // Half a surrogate pair would not come back from the store as it went in.
    if (!isInside || quote.trim() === '' || !quote.isWellFormed()) {
      droppedQuotes += 1;
      return null;
    }
    const locator = locatorAt(transcript, start, end);
    return { quote, start, end, locator, url: deepLink(itemUrl, locator, quote, transcript.text) };
  };

  const insights: AnalysisToKeep['insights'] = [];
  for (const { text, quote } of analysis.insights) {
    const placed = quote === null ? null : place(quote);
    insights.push({ text, ...(placed ?? { quote: null, start: null, end: null, locator: null, url: null }) });
  }
  const actions: AnalysisToKeep['actions'] = [];
  for (const { title, reason, goalId, quote } of analysis.actions) {
    if (actions.length === mostActions) break;
    const placed = place(quote);
    if (placed !== null) actions.push({ title, reason, goalId, ...placed });
  }
  return { summary: analysis.summary, insights, actions, info: { ...info, droppedQuotes } };
}
