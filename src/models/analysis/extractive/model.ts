import { readFileSync } from 'node:fs';
import type { SourceSentence } from './candidates.ts';
import { featuresOf, profileOf, type Marks } from './features.ts';
import type { PlacedSentence } from '../../embedding/embedder.ts';
import type { Imperative } from './imperatives.ts';
import type { ReadSentences } from './reader.ts';

/**
 * Logistic regression over named marks, made by `scripts/actions/train.ts`: the weights of those that an instruction has are
 * added up. A word says something else on a page that speaks for itself than in a sentence that stands alone.
 */
export interface ActionModel {
  page: Judgement;
  alone: Judgement;
  /** Of each mark: on a page, and in a sentence that stands alone. */
  weights: Record<string, readonly [page: number, alone: number]>;
}

export interface Judgement {
  bias: number;
  /** How much of the mean score of a page's other instructions a score gets. */
  company: number;
  /** The least score that is kept. */
  least: number;
  /** How a score of the marks and one of the model that reads make one, and what holds for it. */
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
  /** Log odds that a person would keep it as a thing to do, less the least that is kept: 0 and more is kept. */
  score: number;
}

/** Fewer sentences do not say what kind of page they are from. */
const minOfPage = 12;
const maxOfOne = 4;
/** Of a document, those with the best marks; each takes the model some 10 ms. */
const maxRead = 60;

export function readActionModel(): ActionModel {
  // `assets` stands beside both `src` and `dist`.
  return JSON.parse(
    readFileSync(new URL('../../../../assets/actions/model.json', import.meta.url), 'utf8'),
  ) as ActionModel;
}

/** One sentence says so much of its page and not more. */
export function bounded(score: number): number {
  return Math.max(-maxOfOne, Math.min(maxOfOne, score));
}

function scoreOf(marks: Marks, model: ActionModel, of: 'page' | 'alone'): number {
  const at = of === 'page' ? 0 : 1;
  let sum = model[of].bias;
  for (const [name, strength] of marks) sum += (model.weights[name]?.[at] ?? 0) * strength;
  return sum;
}

/** What the marks of a document's sentences say of it, or null when there are too few. */
export function profileOfPage(
  title: string | null,
  sentences: readonly SourceSentence[],
  codeShare: number,
): Marks | null {
  return sentences.length < minOfPage ? null : profileOf(title, sentences, codeShare);
}

/** Scores all instructions of a document: those of a page that asks for nothing else worth doing are doubted. */
export async function scoreInstructions(
  found: readonly { sentence: SourceSentence; imperative: Imperative }[],
  page: Marks | null,
  model: ActionModel,
  read: ReadSentences | null,
): Promise<Scored[]> {
  const of = page === null ? 'alone' : 'page';
  const marked = found.map(({ sentence, imperative }) => scoreOf(featuresOf(sentence, imperative, page), model, of));
  const best = [...marked.keys()].sort((i, j) => (marked[j] ?? 0) - (marked[i] ?? 0)).slice(0, maxRead);
  const meanings = best.length === 0 ? null : ((await read?.(best.map((i) => placed(found[i]?.sentence)))) ?? null);
  const { reading, ...alone } = model[of];
  const { least, company } = meanings === null ? alone : reading;
  const scores = [...marked];
  if (meanings !== null) {
    // Who is not read has marks that nothing could make up for.
    scores.fill(-maxOfOne);
    for (const [n, i] of best.entries())
      scores[i] = reading.marks * (marked[i] ?? 0) + reading.meaning * (meanings[n] ?? 0) + reading.bias;
  }
  const sum = scores.reduce((total, score) => total + bounded(score), 0);
  return found.map(({ sentence, imperative }, i) => {
    const own = scores[i] ?? 0;
    // Counted as if one more said nothing, so that a single other one does not decide.
    const others = (sum - bounded(own)) / found.length;
    return { sentence, imperative, score: own + company * others - least };
  });
}

function placed(sentence: SourceSentence | undefined): PlacedSentence {
  return { text: sentence?.plain ?? '', around: sentence?.heading ?? '' };
}
