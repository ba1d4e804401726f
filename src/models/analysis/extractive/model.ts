import { readFileSync } from 'node:fs';
import type { SourceSentence } from './candidates.ts';
import { featuresOf, profileOf, type Marks, type Profile } from './features.ts';
import type { PlacedSentence } from '../../embedding/index.ts';
import type { Imperative } from './grammar/imperatives.ts';
import type { ReadSentences } from './reader.ts';

/**
 * Logistic regression over named features, trained by `scripts/actions/train.ts`: the score is the sum of the weights
 * of an instruction's features. There are two sets of weights, because a word means something else on a page, whose
 * other sentences give context, than in a sentence that stands alone.
 */
export interface ActionModel {
  page: ScoreParameters;
  alone: ScoreParameters;
  /** For each feature: its weight on a page, and in a sentence that stands alone. */
  weights: Record<string, readonly [page: number, alone: number]>;
}

export interface ScoreParameters {
  bias: number;
  /** Weight of the mean score of the page's other instructions. */
  company: number;
  /** Minimum score of an instruction that is kept. */
  least: number;
  /**
   * How the feature score and the sentence model's score are combined, and the values of `company` and `least` for the
   * result.
   */
  reading: Mixture;
}

export interface Mixture {
  marks: number;
  meaning: number;
  bias: number;
  company: number;
  least: number;
}

export interface Scored {
  sentence: SourceSentence;
  imperative: Imperative;
  /** Log odds that a person would keep it as a thing to do, minus the minimum score: kept at 0 or more. */
  score: number;
}

/**
 * On a page that advises a trade an instruction needs a score that is this much higher: nearly all of them tell a seller
 * what to do, in the words of everyday advice.
 */
const tradeCaution = 3.5;
/** A page advises a trade when its title says so or a tenth of its sentences do. The feature is the share's root. */
const tradeShare = Math.sqrt(0.1);
/** With fewer sentences, the kind of page cannot be told. */
export const minOfPage = 12;
const maxOfOne = 4;
/**
 * The sentence model reads only this many instructions of a document, those with the best feature scores; each takes
 * about 10 ms.
 */
const maxRead = 60;

export function readActionModel(): ActionModel {
  // `assets` is next to both `src` and `dist`.
  return JSON.parse(
    readFileSync(new URL('../../../../assets/actions/model.json', import.meta.url), 'utf8'),
  ) as ActionModel;
}

/** Limits how much one sentence can say about its page. */
export function bounded(score: number): number {
  return Math.max(-maxOfOne, Math.min(maxOfOne, score));
}

function scoreOf(marks: Marks, model: ActionModel, of: 'page' | 'alone'): number {
  const at = of === 'page' ? 0 : 1;
  let sum = model[of].bias;
  for (const [name, strength] of marks) sum += (model.weights[name]?.[at] ?? 0) * strength;
  return sum;
}

/** The profile of the page, or null when it has too few sentences. */
export function profileOfPage(
  title: string | null,
  sentences: readonly SourceSentence[],
  codeShare: number,
): Profile | null {
  return sentences.length < minOfPage ? null : profileOf(title, sentences, codeShare);
}

/** Scores all instructions of a document. An instruction scores lower when the others on its page score low. */
export async function scoreInstructions(
  found: readonly { sentence: SourceSentence; imperative: Imperative }[],
  page: Profile | null,
  model: ActionModel,
  read: ReadSentences | null,
): Promise<Scored[]> {
  const of = page === null ? 'alone' : 'page';
  const marked = found.map(({ sentence, imperative }) => scoreOf(featuresOf(sentence, imperative, page), model, of));
  const best = [...marked.keys()].sort((i, j) => (marked[j] ?? 0) - (marked[i] ?? 0)).slice(0, maxRead);
  const meanings = best.length === 0 ? null : ((await read?.(best.map((i) => placed(found[i]?.sentence)))) ?? null);
  const { reading, ...alone } = model[of];
  const { least, company } = meanings === null ? alone : reading;
  const caution = page !== null && advisesTrade(page) ? tradeCaution : 0;
  const scores = [...marked];
  if (meanings !== null) {
    // Instructions that the model did not read have feature scores too low to make up for.
    scores.fill(-maxOfOne);
    for (const [n, i] of best.entries())
      scores[i] = reading.marks * (marked[i] ?? 0) + reading.meaning * (meanings[n] ?? 0) + reading.bias;
  }
  const sum = scores.reduce((total, score) => total + bounded(score), 0);
  return found.map(({ sentence, imperative }, i) => {
    const own = scores[i] ?? 0;
    // Divided by the count of all instructions, this one included, so that a single other instruction does not decide.
    const others = (sum - bounded(own)) / found.length;
    return { sentence, imperative, score: own + company * others - least - caution };
  });
}

function advisesTrade({ page }: Profile): boolean {
  return page.has('title trade') || (page.get('page trade') ?? 0) >= tradeShare;
}

function placed(sentence: SourceSentence | undefined): PlacedSentence {
  return { text: sentence?.plain ?? '', around: sentence?.heading ?? '' };
}
