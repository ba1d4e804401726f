import type { IndexMethods } from '../store/index-reader.ts';
import type { PassagePart, PassagePlace, QuestionVector } from '../store/records/search-records.ts';
import type { Store } from '../store/store.ts';
import type { AnswerForms } from './answer.ts';
import { Citations } from './citations.ts';
import { findItems } from './find-items.ts';
import type { ItemSearch, ItemsFound } from './item-search.ts';
import { type LikeItem, likeItems, type LikeQuestion } from './like-items.ts';
import { type Answered, answerQuestion, prepareQuestion, type Question } from './query.ts';

/** The methods that run beside an index. A call of one is one message. They cache texts: create them once for each thread. */
export function createIndexMethods(forms: AnswerForms) {
  const citations = new Citations();
  return {
    answerQuestion: (index, question: Question): Answered => answerQuestion(question, { index, citations, forms }),
    prepareQuestion: (index, question: Question): void => prepareQuestion(question, { index }),
    /** One ranking, for measurements. */
    findItems: (index, search: ItemSearch): ItemsFound => findItems(index, search, citations),
    likeItems: (index, question: LikeQuestion): LikeItem[] => likeItems(index, question),
    /** In the order of `parts`; null for a passage that is gone. */
    locate: (index, parts: readonly PassagePart[]): (PassagePlace | null)[] => citations.locate(index, parts),
  } satisfies IndexMethods;
}

/** The same methods of an account's index, wherever it is. */
export function indexMethodsOf(store: Pick<Store, 'askIndex'>) {
  return {
    answerQuestion: (question: Question) =>
      store.askIndex('answerQuestion', question, vectorsOf(question)) as Promise<Answered>,
    prepareQuestion: (question: Question) => store.askIndex('prepareQuestion', question),
    findItems: (search: ItemSearch) => store.askIndex('findItems', search, [search.vector]) as Promise<ItemsFound>,
    likeItems: (question: LikeQuestion) =>
      store.askIndex('likeItems', question, question.vectors) as Promise<LikeItem[]>,
    locate: (parts: readonly PassagePart[]) => store.askIndex('locate', parts) as Promise<(PassagePlace | null)[]>,
  };
}

function vectorsOf({ meanings }: Question): (QuestionVector | null)[] {
  return [...meanings.values()].flatMap(({ vector, foreign }) => [vector, foreign?.meaning?.vector ?? null]);
}
