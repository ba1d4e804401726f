import { analysisDraft, mostInsights, type AnalysisDraft } from '../domain/analysis-draft.ts';
import { mostActions } from '../domain/analysis.ts';

/** What a model answered: a draft, or what is wrong with it in words that a model can use. */
export type ReadAnswer = { draft: AnalysisDraft; problem: null } | { draft: null; problem: string };

/**
 * Reads the JSON object out of an answer. Servers that know no structured output put it into a code fence or write a
 * sentence before it; a list that is too long is cut, since the model put the best first.
 */
export function readAnswer(answer: string): ReadAnswer {
  const [from, to] = [answer.indexOf('{'), answer.lastIndexOf('}')];
  if (from === -1 || to < from) return { draft: null, problem: 'there is no JSON object in it.' };
  let value: unknown;
  try {
    value = JSON.parse(answer.slice(from, to + 1));
  } catch (error) {
    return { draft: null, problem: error instanceof SyntaxError ? 'it is not valid JSON.' : 'it cannot be read.' };
  }
  const parsed = analysisDraft.safeParse(cut(value));
  if (parsed.success) return { draft: parsed.data, problem: null };
  const problems = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { draft: null, problem: `${problems.join('; ')}.` };
}

function cut(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { insights, actions, ...rest } = value as Record<string, unknown>;
  return {
    ...rest,
    insights: Array.isArray(insights) ? insights.slice(0, mostInsights) : insights,
    actions: Array.isArray(actions) ? actions.slice(0, mostActions) : actions,
  };
}
