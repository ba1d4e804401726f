import { z } from 'zod';

/** A tag that the item may be given, and why. */
export const proposedTag = z.object({ tag: z.string(), reason: z.string() });
export type ProposedTag = z.infer<typeof proposedTag>;

/** Tags that were found for an item, the best first; `score` is above 0, at most 1. */
export interface TagProposals {
  found: readonly (ProposedTag & { score: number })[];
  /** Of computed ones, which take the place of those before. An analyst's own are added, and one may be new. */
  areComputed: boolean;
  /** Whether they are given to the item as soon as this person's decisions bear them out. */
  areApplied: boolean;
}
