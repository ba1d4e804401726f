import type { AnsweringPassage } from '../store/records/search-records.ts';

/** A passage with its place in the ranking. */
export type ScoredPassage = AnsweringPassage;
