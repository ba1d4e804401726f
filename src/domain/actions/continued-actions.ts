import { areNearlyIdentical } from '../duplicates/instruction-similarity.ts';

/* Which actions of a new analysis continue existing ones, and what follows. A person's own words and decisions are never replaced. */

/** An action of the item, from an earlier analysis. */
export interface KnownAction {
  title: string;
  quote: string | null;
  /** Whether a person completed, dismissed or edited it. */
  isTouched: boolean;
}

interface AnalysedAction {
  title: string;
  quote: string;
}

/** The changes of a new analysis to the actions of its item. */
export interface ContinuedActions<Known, Analysed> {
  /** In the order of the analysis. */
  found: {
    action: Analysed;
    /** Null: there is no similar one, so it is added. */
    continues: Known | null;
    /** Whether the existing action also takes the new title, reason and goal. Otherwise only its place in the text changes. */
    isReworded: boolean;
    /** Whether the existing action asked for something else until now. */
    asksAnew: boolean;
  }[];
  /** The text no longer asks for these, and no person touched them. */
  gone: Known[];
}

/** @param known those that a person touched first: they represent their sentence */
export function continueActions<Known extends KnownAction, Analysed extends AnalysedAction>(
  known: readonly Known[],
  actions: readonly Analysed[],
): ContinuedActions<Known, Analysed> {
  const predecessors = findPredecessors(actions, known);
  const kept = new Set(predecessors.values());
  return {
    found: actions.map((action) => {
      const continues = predecessors.get(action) ?? null;
      return {
        action,
        continues,
        isReworded: continues?.isTouched === false,
        asksAnew: continues !== null && !areNearlyIdentical(continues.title, action.title),
      };
    }),
    gone: known.filter((one) => !one.isTouched && !kept.has(one)),
  };
}

/**
 * The same for the tasks in a person's notes on an item: an analysis of its text never changes their actions, nor the
 * other way round. Left out are tasks that the item has as another action, and those whose line has not changed: "on
 * Friday" stays the day that it was when the next line changes.
 */
export function continueTasks<Known extends KnownAction & { isOfNote: boolean }, Task extends AnalysedAction>(
  known: readonly Known[],
  tasks: readonly Task[],
): ContinuedActions<Known, Task> {
  const others = known.filter(({ isOfNote }) => !isOfNote);
  const { found, gone } = continueActions(
    known.filter(({ isOfNote }) => isOfNote),
    tasks.filter(({ title }) => !others.some((other) => areNearlyIdentical(other.title, title))),
  );
  return { found: found.filter(({ action, continues }) => continues?.quote !== action.quote), gone };
}

/** Collapses white space, because quotes from two extractions of the same page may differ in it. */
function comparable(quote: string): string {
  return quote.replaceAll(/\s+/g, ' ').trim();
}

/**
 * Quotes may be part of a sentence or include the next one. The shorter quote must be at least this share of the
 * longer.
 */
const minOfQuote = 0.5;

function isMostOf(one: string, other: string): boolean {
  const [shorter = '', longer = ''] = [one, other].sort((a, b) => a.length - b.length);
  return shorter.length >= minOfQuote * longer.length && longer.includes(shorter);
}

/**
 * Finds the existing action that each new one continues: one with the same quote or nearly the same title, otherwise
 * one whose quote is most of the new quote, or the reverse. A sentence may ask for several things. Then the action with
 * nearly the same title is chosen, otherwise any that is left.
 */
function findPredecessors<Known extends KnownAction, Analysed extends AnalysedAction>(
  actions: readonly Analysed[],
  known: readonly Known[],
): Map<Analysed, Known> {
  const left = new Set(known);
  const found = new Map<Analysed, Known>();
  const match = (isSameAction: (action: Analysed, old: Known) => boolean) => {
    for (const action of actions) {
      if (found.has(action)) continue;
      const old = [...left].find((one) => isSameAction(action, one));
      if (old === undefined) continue;
      found.set(action, old);
      left.delete(old);
    }
  };
  const hasTitle = (action: Analysed, old: Known) => areNearlyIdentical(action.title, old.title);
  const hasQuote = (action: Analysed, old: Known) => comparable(old.quote ?? '') === comparable(action.quote);
  match((action, old) => hasQuote(action, old) && hasTitle(action, old));
  match(hasTitle);
  match(hasQuote);
  match((action, old) => isMostOf(comparable(old.quote ?? ''), comparable(action.quote)));
  return found;
}
