import { analysisDraft, maxInsights, maxNamedTags, type AnalysisDraft } from '../../../domain/drafts/analysis-draft.ts';
import { actionPriority } from '../../../domain/records/analyses/action.ts';
import { maxActions } from '../../../domain/records/analyses/analysis.ts';
import { shortened } from '../../../domain/text/shortened.ts';

/** A parsed answer: either a draft, or a description of the problem that a model can act on. */
export type CheckedAnswer = { draft: AnalysisDraft; problem: null } | { draft: null; problem: string };

const { summary: summaryField, insights: insightList, actions: actionList, tags: tagList } = analysisDraft.shape;
const maxSummaryLength = 2_000;

/**
 * Extracts the JSON object from an answer. Servers without structured output put it into a code fence, write their
 * reasoning before it or add fields of their own. A list that is too long is cut, since the model puts the best entries
 * first.
 * @param how `leniently`: valid entries are kept and invalid ones dropped, if there is a summary. For a model that was
 *   told about its mistakes and made them again
 */
export function readAnswer(answer: string, how: 'strictly' | 'leniently' = 'strictly'): CheckedAnswer {
  const value = findObject(answer);
  if (value === null) return { draft: null, problem: 'there is no valid JSON object in it.' };
  const parsed = analysisDraft.safeParse(how === 'strictly' ? tidied(value) : salvaged(tidied(value)));
  if (parsed.success) return { draft: parsed.data, problem: null };
  const problems = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { draft: null, problem: `${problems.join('; ')}.` };
}

type DraftFields = Readonly<Record<string, unknown>>;

/**
 * An answer is a few kilobytes. In one longer than this many characters, only the text from the first brace to the last
 * is tried.
 */
const maxSearched = 200_000;
const maxEnds = 20;

/**
 * The object between the first brace and the last; if that is not valid, the first one that begins like an analysis.
 */
function findObject(answer: string): DraftFields | null {
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

function parseObject(json: string): DraftFields | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as DraftFields) : null;
  } catch {
    // Not JSON, or nested too deeply for the parser.
    return null;
  }
}

/** Keeps only the requested fields, and at most the requested number of list entries. */
function tidied({ summary, insights, actions, tags }: DraftFields): DraftFields {
  return {
    summary,
    insights: entries(insights, maxInsights, ({ text, quote }) => ({ text, quote })),
    actions: entries(actions, maxActions, ({ title, quote, goalId, reason, priority }) => ({
      title,
      quote,
      // Small models write an empty string for null.
      goalId: goalId === '' ? null : goalId,
      reason: reason === '' ? null : reason,
      // A priority of another name is no reason to ask again.
      priority: actionPriority.safeParse(priority).data,
    })),
    // Tags are no reason to ask again: those that cannot be tags are left out.
    tags: Array.isArray(tags)
      ? tags.filter((one) => tagList.unwrap().element.safeParse(one).success).slice(0, maxNamedTags)
      : [],
  };
}

function entries(list: unknown, limit: number, tidy: (entry: DraftFields) => DraftFields): unknown {
  if (!Array.isArray(list)) return list;
  return (list as unknown[])
    .slice(0, limit)
    .map((entry) => (typeof entry === 'object' && entry !== null ? tidy(entry as DraftFields) : entry));
}

function salvaged({ summary, insights, actions, tags }: DraftFields): DraftFields {
  const good = (list: unknown, isGood: (entry: unknown) => boolean) => (Array.isArray(list) ? list.filter(isGood) : []);
  const isLong = typeof summary === 'string' && !summaryField.safeParse(summary).success;
  return {
    summary: isLong ? shortened(summary, maxSummaryLength) : summary,
    insights: good(insights, (entry) => insightList.element.safeParse(entry).success),
    actions: good(actions, (entry) => actionList.element.safeParse(entry).success),
    tags,
  };
}
