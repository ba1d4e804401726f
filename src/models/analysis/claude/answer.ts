import { analysisDraft, maxInsights, type AnalysisDraft } from '../../../domain/drafts/analysis-draft.ts';
import { maxActions } from '../../../domain/records/analysis.ts';
import { shortened } from '../../../domain/text/shortened.ts';

/** What a model answered: a draft, or what is wrong with it in words that a model can use. */
export type ReadAnswer = { draft: AnalysisDraft; problem: null } | { draft: null; problem: string };

const { summary: summaryField, insights: insightList, actions: actionList } = analysisDraft.shape;
const maxSummaryLength = 2_000;

/**
 * Reads the JSON object out of an answer. Servers that know no structured output put it into a code fence, think aloud before it or add
 * fields of their own; a list that is too long is cut, since the model put the best first.
 * @param how `leniently`: what of it has the right form is taken, if there is a summary. For a model that was told what is wrong
 *   and does not do better
 */
export function readAnswer(answer: string, how: 'strictly' | 'leniently' = 'strictly'): ReadAnswer {
  const value = findObject(answer);
  if (value === null) return { draft: null, problem: 'there is no valid JSON object in it.' };
  const parsed = analysisDraft.safeParse(how === 'strictly' ? tidied(value) : salvaged(tidied(value)));
  if (parsed.success) return { draft: parsed.data, problem: null };
  const problems = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { draft: null, problem: `${problems.join('; ')}.` };
}

type Fields = Readonly<Record<string, unknown>>;

/** An answer is a few kilobytes; in a longer one the object is looked for in one place. */
const maxSearched = 200_000;
const maxEnds = 20;

/** The object from the first brace to the last; else the first that begins like an analysis. */
function findObject(answer: string): Fields | null {
  const [from, to] = [answer.indexOf('{'), answer.lastIndexOf('}')];
  const whole = from === -1 ? null : parseObject(answer.slice(from, to + 1));
  if (whole !== null || answer.length > maxSearched) return whole;
  const start = answer.search(/\{\s*"(?:summary|insights|actions)"/);
  if (start === -1) return null;
  let end = answer.length;
  for (let tried = 0; tried < maxEnds; tried++) {
    end = answer.lastIndexOf('}', end - 1);
    if (end <= start) return null;
    const found = parseObject(answer.slice(start, end + 1));
    if (found !== null) return found;
  }
  return null;
}

function parseObject(json: string): Fields | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Fields) : null;
  } catch {
    // Not JSON, or nested more deeply than can be read.
    return null;
  }
}

/** The fields that were asked for, and of lists as much as was asked for. */
function tidied({ summary, insights, actions }: Fields): Fields {
  return {
    summary,
    insights: entries(insights, maxInsights, ({ text, quote }) => ({ text, quote })),
    actions: entries(actions, maxActions, ({ title, quote, goalId, reason }) => ({
      title,
      quote,
      // Small models write an empty text where they mean none.
      goalId: goalId === '' ? null : goalId,
      reason: reason === '' ? null : reason,
    })),
  };
}

function entries(list: unknown, most: number, tidy: (entry: Fields) => Fields): unknown {
  if (!Array.isArray(list)) return list;
  return (list as unknown[])
    .slice(0, most)
    .map((entry) => (typeof entry === 'object' && entry !== null ? tidy(entry as Fields) : entry));
}

function salvaged({ summary, insights, actions }: Fields): Fields {
  const good = (list: unknown, isGood: (entry: unknown) => boolean) => (Array.isArray(list) ? list.filter(isGood) : []);
  const isLong = typeof summary === 'string' && !summaryField.safeParse(summary).success;
  return {
    summary: isLong ? shortened(summary, maxSummaryLength) : summary,
    insights: good(insights, (entry) => insightList.element.safeParse(entry).success),
    actions: good(actions, (entry) => actionList.element.safeParse(entry).success),
  };
}
