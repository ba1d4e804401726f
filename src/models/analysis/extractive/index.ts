/* Finds summaries, insights and actions without a language model. README.md says how. Nothing else of this folder is imported from outside it. */
export { createExtractiveAnalyst } from './extractive.ts';
export { matchGoals, type CompareMeanings, type MatchedGoal, type Surroundings } from './goals.ts';
export { tasksInNotes, type QuotedTask } from './tasks.ts';
