import { maxActions } from './analysis.ts';
import { maxInsights } from '../drafts/analysis-draft.ts';

/** Change this whenever the rules change: it is stored with every analysis that was made with them. */
export const rulesVersion = '2026-11-2';

/** The instructions for the author of an analysis: an LLM behind an API, or the connected assistant. */
export const analysisRules = `- "summary": 2 to 5 sentences: what it says, not what it is about. In its own language.
- "insights": at most ${maxInsights}. Each has "text", one sentence that stands on its own, and "quote", the sentence or clause that it rests on.
- "actions": at most ${maxActions}, often none. Only what the text itself tells its reader to do, what this person could do, and what is worth the effort; no calls to subscribe, buy, sign up, share or visit. Each has "title" (an imperative, at most 100 characters, in the words and language of its quote: every number, name and act in it stands there), "quote" (the sentence that asks for it), "goalId" (of the goal that doing it brings nearer, directly and for most people, else null: a shared word is not enough) and "reason" (how it serves that goal or why it is worth doing, one sentence, else null).
Quotes are copied letter by letter, 8 to 300 characters, nothing left out or added; a program looks for them in the text and throws away what it does not find. No address that the text does not hold. No action at all is a good answer.`;
