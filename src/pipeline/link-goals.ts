import { setImmediate } from 'node:timers/promises';
import type { Surroundings } from '../models/analysis/extractive/index.ts';
import type { ActionToLink } from '../store/records/analysis-records.ts';
import type { Store } from '../store/store.ts';
import type { MatchGoals } from './text-worker/text-worker-pool.ts';

/** Actions in one write. */
const linkedAtOnce = 50;

/**
 * Finds the goals of open actions again after goals have changed. The store records which actions are due, so a killed
 * process continues where it was.
 */
export async function linkActionsToGoals(store: Store, matchGoals: MatchGoals, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { goalsVersion, goals, actions } = await store.listLinksDue(linkedAtOnce);
    if (actions.length === 0) return;
    const matched = await matchGoals(goals, actions.map(surroundingsOf), signal, store.accountId);
    const links = actions.map(({ id }, n) => ({ actionId: id, goalId: null, reason: null, ...matched[n] }));
    // If the goals have changed again meanwhile, nothing is stored and the next round uses the new goals.
    await store.keepGoalLinks(goalsVersion, links);
    await setImmediate();
    signal.throwIfAborted();
  }
}

/** The context that an analyst sees of an instruction, taken from the instruction's passage. */
function surroundingsOf({ quote, passage, documentTitle, headingPath, language }: ActionToLink): Surroundings {
  const paragraph = passage?.split(/\n{2,}/).find((part) => part.includes(quote)) ?? quote;
  return {
    instruction: quote,
    paragraph,
    subject: [documentTitle, headingPath.at(-1)].filter(Boolean).join('. '),
    isForeign: language !== null && !/^en\b/i.test(language),
  };
}
