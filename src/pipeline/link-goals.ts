import { setImmediate } from 'node:timers/promises';
import { createGoalMatcher } from '../models/extractive-goals.ts';
import type { ActionToLink } from '../store/analysis-records.ts';
import type { Store } from '../store/store.ts';

/** Actions in one write: some milliseconds of comparing words. */
const linkedAtOnce = 50;

/**
 * Looks for the goals of open actions anew after goals have changed. Which are due stands in the store, so that
 * it goes on where it was when the process is killed.
 */
export async function linkActionsToGoals(store: Store, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { goalsVersion, goals, actions } = await store.listLinksDue(linkedAtOnce);
    if (actions.length === 0) return;
    const match = createGoalMatcher(goals);
    const links = actions.map((action) => ({ actionId: action.id, ...match(surroundingsOf(action)) }));
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
