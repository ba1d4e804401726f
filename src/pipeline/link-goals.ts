import { setImmediate } from 'node:timers/promises';
import type { ActionToLink } from '../store/analysis-records.ts';
import type { Store } from '../store/store.ts';
import type { MatchGoals } from './text-worker-pool.ts';

/** Actions in one write. */
const linkedAtOnce = 50;

/**
 * Looks for the goals of open actions anew after goals have changed. Which are due stands in the store, so that
 * it goes on where it was when the process is killed.
 */
export async function linkActionsToGoals(store: Store, matchGoals: MatchGoals, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { goalsVersion, goals, actions } = await store.listLinksDue(linkedAtOnce);
    if (actions.length === 0) return;
    const matched = await matchGoals(goals, actions.map(surroundingsOf), signal, store.accountId);
    const links = actions.map(({ id }, n) => ({ actionId: id, goalId: null, reason: null, ...matched[n] }));
    // When the goals have changed again meanwhile nothing is kept, and the next round has the new ones.
    await store.keepGoalLinks(goalsVersion, links);
    await setImmediate();
    signal.throwIfAborted();
  }
}

/** The same that an analyst sees of an instruction, from the passage it stands in. */
function surroundingsOf({ quote, passage, documentTitle, headingPath }: ActionToLink) {
  const paragraph = passage?.split(/\n{2,}/).find((part) => part.includes(quote)) ?? quote;
  return { instruction: quote, paragraph, subject: `${documentTitle ?? ''} ${headingPath.at(-1) ?? ''}` };
}
