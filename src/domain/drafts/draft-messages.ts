import type { DraftProblem } from './analysis-draft.ts';
import type { Objection } from './grounding/index.ts';

/** What an entry says that its quote does not support. */
const complaints: Readonly<Record<Objection, string>> = {
  address: 'an address that does not stand near the quote',
  number: 'a number, date or amount that the text does not have near the quote',
  name: 'a name that does not stand near the quote',
  act: 'an act, such as to pay, send, install or delete, that the text does not name near the quote',
  turned: 'the opposite of what the quote asks for',
  object: 'a medicine or another substance that the quote does not name',
  words: 'nothing that stands near the quote',
};

export interface Message {
  /** For an author who can still correct the entry. */
  mend: string;
  /** For a reader who cannot. */
  afterwards: string;
}

export const notFound: Message = {
  mend: 'These words do not stand in the text. Copy a sentence from it letter by letter, or leave this entry out.',
  afterwards: 'These words do not stand in the text: this entry was left out.',
};

export function messageFor(objection: Objection, part: 'entry' | 'reason'): Message {
  const what = complaints[objection];
  return {
    mend: `This says ${what}. Say what the quote asks for, in its own words and language, or leave this ${part} out.`,
    afterwards: `This says ${what}: this ${part} was left out.`,
  };
}

const messages = [
  notFound,
  ...(Object.keys(complaints) as Objection[]).flatMap((objection) => [
    messageFor(objection, 'entry'),
    messageFor(objection, 'reason'),
  ]),
];

/** Rewords a problem for a reader who cannot fix the entry any more. */
export function afterwards(problem: DraftProblem): DraftProblem {
  const known = messages.find(({ mend }) => mend === problem.message);
  return known === undefined ? problem : { ...problem, message: known.afterwards };
}
