import { placeAnalysis } from '../../../src/domain/drafts/place-analysis.ts';
import { placeQuotes } from '../../../src/domain/records/highlights/highlight-words.ts';
import { verifyDraft } from '../../../src/domain/drafts/verify-draft.ts';
import { matchGoals } from '../../../src/models/analysis/extractive/goals.ts';
import { tasksInNotes } from '../../../src/models/analysis/extractive/tasks.ts';
import type { TextWorkerPool } from '../../../src/pipeline/text-worker/text-worker-pool.ts';

/** What the text thread does, on the thread of the test: its texts are short. */
export const textWork: Pick<TextWorkerPool, 'place' | 'verify' | 'matchGoals' | 'findTasks' | 'placeQuotes'> = {
  place: async (analysis, transcript, item, info) => placeAnalysis(analysis, transcript, item, info),
  verify: async (draft, text, goals) => verifyDraft(draft, text, goals),
  placeQuotes: async (quotes, transcript, item) => placeQuotes(quotes, transcript, item),
  findTasks: async (notes, language, writtenOn) => tasksInNotes(notes, language, writtenOn),
  matchGoals: async (goals, places) => matchGoals(places, goals, null),
};
