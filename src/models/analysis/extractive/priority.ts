import type { ActionPriority } from '../../../domain/records/action.ts';
import { contains, phrases } from './phrases.ts';
import { wordsOf } from './words.ts';

const urgent = phrases(
  `urgent, urgently, asap, as soon as possible, high priority, top priority, dringend, eilig, so bald wie möglich, schnellstmöglich, d'urgence, au plus vite, dès que possible,
  urgente, urgentemente, cuanto antes, lo antes posible, al più presto, urgentemente, o quanto antes, o mais rápido possível, spoedeisend, zo snel mogelijk`,
);
const sometime = phrases(
  `someday, some day, at some point, eventually, no rush, no hurry, not urgent, low priority, if there is time, if i have time, nice to have, irgendwann, nicht dringend, nicht eilig, bei gelegenheit, un jour, pas urgent, à l'occasion,
  algún día, no es urgente, no urgente, sin prisa, non urgente, senza fretta, prima o poi, não urgente, não é urgente, sem pressa, algum dia, ooit, niet dringend, geen haast`,
);
const nearMs = 7 * 86_400_000;

/**
 * Guesses the priority of something to do: what is called urgent is high, and so is what serves a goal and is due within a
 * week; what can wait is low.
 * @param today the day on which the text was written; without it no day is near
 */
export function guessPriority(
  text: string,
  { due, servesGoal }: { due: string | null | undefined; servesGoal: boolean },
  today: string | undefined,
): ActionPriority {
  const words = wordsOf(text);
  if (contains(words, sometime)) return 'low';
  const isNear = due !== null && due !== undefined && Date.parse(due) - Date.parse(today ?? '') <= nearMs;
  return contains(words, urgent) || (isNear && servesGoal) ? 'high' : 'normal';
}
