import { join } from 'node:path';
import { readCollection } from './retrieval/collection.ts';
import { readItems } from './answer-library.ts';
import type { AnswerTask } from './answer-tasks.ts';

/* Questions that the library of bench/answers.ts has no answer to, out of the retrieval collections. */

interface ForeignQuestion {
  query: string;
  split: AnswerTask['split'];
}

/** How many questions are asked of each collection. */
const foreignQuestions = {
  cisi: 40,
  cranfield: 40,
  'scifact-train': 40,
  'xquad-en': 40,
  'xquad-de': 20,
  'xquad-es': 20,
} as const;

/**
 * Spread evenly over each collection; without the questions that a page of the library answers.
 * @param corpora the folder with `retrieval/`
 */
export async function readForeignQuestions(corpora: string): Promise<ForeignQuestion[]> {
  const own = new Set<string>();
  for (const { collection, documents } of readItems()) {
    if (collection === undefined) continue;
    const all = (await readCollection(join(corpora, 'retrieval', collection))).documents.map(({ id }) => id);
    for (const id of all.slice(all.indexOf(documents?.[0] ?? ''), all.indexOf(documents?.[1] ?? '') + 1)) own.add(id);
  }
  const questions: ForeignQuestion[] = [];
  for (const [name, wanted] of Object.entries(foreignQuestions)) {
    const { queries, judgements } = await readCollection(join(corpora, 'retrieval', name));
    // The same documents have the same ids in all languages.
    const isOwn = (id: string) =>
      name.startsWith('xquad') && [...(judgements.get(id)?.keys() ?? [])].some((document) => own.has(document));
    const foreign = queries.filter(({ id }) => !isOwn(id));
    for (let at = 0; at < wanted; at += 1) {
      const query = foreign[Math.floor((at * foreign.length) / wanted)]?.text ?? '';
      questions.push({ query, split: at % 2 === 0 ? 'tuning' : 'held-out' });
    }
  }
  return questions;
}
