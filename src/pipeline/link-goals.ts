import { setImmediate } from 'node:timers/promises';
import type { Surroundings } from '../models/analysis/extractive/index.ts';
import type { ToLink } from '../store/records/analysis-records.ts';
import type { Store } from '../store/store.ts';
import type { MatchGoals } from './text-worker/text-worker-pool.ts';

/** Actions and insights in one write. */
const linkedAtOnce = 50;
/** Writes before other accounts get their turn: a large library has thousands of insights. */
const maxWrites = 20;

/**
 * Finds the goals of insights and open actions again after goals have changed. The store records which are due, so a
 * killed process continues where it was.
 */
export async function linkToGoals(store: Store, matchGoals: MatchGoals, signal: AbortSignal): Promise<void> {
  for (let write = 0; write < maxWrites; write += 1) {
    const { goalsVersion, goals, due } = await store.listLinksDue(linkedAtOnce);
    if (due.length === 0) return;
    const matched = await matchGoals(goals, due.map(surroundingsOf), signal, store.accountId);
    const links = due.map(({ of }, n) => ({ of, goalId: null, reason: null, ...matched[n] }));
    // If the goals have changed again meanwhile, nothing is stored and the next round uses the new goals.
    await store.keepGoalLinks(goalsVersion, links);
    await setImmediate();
    signal.throwIfAborted();
  }
}

/** The context that an analyst sees of a sentence, as its passage tells it. */
function surroundingsOf({ of, text, documentTitle, headingPath, language }: ToLink): Surroundings {
  return {
    instruction: text,
    subject: [documentTitle, headingPath.at(-1)].filter(Boolean).join('. '),
    isForeign: language !== null && !/^en\b/i.test(language),
    isInsight: !('actionId' in of),
  };
}
