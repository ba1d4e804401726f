import { areNearlyIdentical } from '../duplicates/instruction-similarity.ts';

/*
 * When actions of several items are shown as one. The one that the others are merged into is their head: its title,
 * state and goal are shown.
 */

/** An open action that is unmerged or the head of others. */
export interface MergeableAction {
  title: string;
  createdAt: number;
  /** Whether a person completed, dismissed or edited it. */
  isTouched: boolean;
  /** Ascending in the order in which actions were stored. */
  seq: number;
}

/** Two open actions of different items become one when they are nearly identical, unless a person touched both. */
export function mayMerge(one: MergeableAction, other: MergeableAction): boolean {
  return !(one.isTouched && other.isTouched) && areNearlyIdentical(one.title, other.title);
}

/** Of two actions that may merge: the one that a person touched is the head, otherwise the older one. */
export function headFirst<Action extends MergeableAction>(one: Action, other: Action): [head: Action, child: Action] {
  if (one.isTouched !== other.isTouched) return one.isTouched ? [one, other] : [other, one];
  const isOlder = one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.seq < other.seq);
  return isOlder ? [one, other] : [other, one];
}

/**
 * Whether an action stays merged into its head when the title of one of the two may have changed. A title that a person
 * gave the head applies to all that are merged into it, except for an action that now asks for something else.
 */
export function staysMerged(child: { title: string; asksAnew: boolean }, head: MergeableAction): boolean {
  return (head.isTouched && !child.asksAnew) || isShownUnder(child, head.title);
}

/** Whether an action may be shown under another title. */
export function isShownUnder(child: { title: string }, title: string): boolean {
  return areNearlyIdentical(child.title, title);
}
