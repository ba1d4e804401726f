import type { TextSpan } from './graphemes.ts';

/** Where a word of a question stands in a text. */
export interface TermMatch extends TextSpan {
  /** The word of the question that it stands for, the same for all its forms. */
  term: string;
}

/** Finds the words of the question it was made for, in the order of the text, without overlaps. */
export type FindTerms = (text: string) => TermMatch[];

const unspaced = String.raw`[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{M}\p{N}]]`;
const words = new RegExp(`(?<run>${unspaced}+)|[[\\p{L}\\p{M}\\p{N}]--${unspaced}]+`, 'gv');

/** Words that hold a sentence together and tell one passage from another in no language that has them. */
const functionWords = new Set(
  `a about an and any are as at be been but by can did do does for from had has have how i if in into is it its me my not of
   on or our should so such than that the their them then there these they this those to was we were what when where which
   who whom whose why will with would you your
   aber als am an auf aus bei bin bis das dass dem den der des die ein eine einem einen einer es für hat ich im in ist man mit
   nach nicht oder sich sie sind so um und von war was wie wir wird zu zum zur
   au aux avec ce ces comme dans de des du elle en est et il ils je la le les leur mais ne nous on ou par pas pour que qui sa
   se ses son sont sur un une vous
   al como con cual cuando de del donde el en es esta este la las lo los mas mi no o para pero por que se si sin su sus un una y`.split(
    /\s+/,
  ),
);

function normalized(word: string): string {
  return word
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();
}

/** Most endings of English words off; other languages keep theirs, and find a word in its own form. */
function stem(word: string): string {
  if (word.length < 4 || /\P{ASCII}/u.test(word)) return word;
  const bare = word
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?<=\w{3})(?:ing|ed|es|s|ly)$/, '')
    .replace(/(?<=\w{3})e$/, '');
  return bare.replace(/([b-df-hj-np-tv-z])\1$/, '$1');
}

function* termsIn(text: string): Generator<TermMatch> {
  for (const match of text.matchAll(words)) {
    const [word] = match;
    const { index } = match;
    if (match.groups?.['run'] === undefined) {
      yield { start: index, end: index + word.length, term: stem(normalized(word)) };
      continue;
    }
    const characters = [...word];
    let at = index;
    for (const [place, character] of characters.entries()) {
      const next = characters[place + 1] ?? '';
      if (next !== '' || characters.length === 1)
        yield { start: at, end: at + character.length + next.length, term: character + next };
      at += character.length;
    }
  }
}

/** @param query a question as a person asks it; words that say nothing of the subject are not looked for beside others */
export function createTermFinder(query: string): FindTerms {
  const all = [...termsIn(query)].map(({ term }) => term);
  const telling = [...query.matchAll(words)]
    .filter(([word]) => !functionWords.has(word.toLowerCase()))
    .flatMap(([word]) => [...termsIn(word)].map(({ term }) => term));
  const wanted = new Set(telling.length > 0 ? telling : all);
  return (text) => {
    const found: TermMatch[] = [];
    for (const match of termsIn(text)) {
      const [single] = match.term;
      if (!wanted.has(match.term) && !(single !== undefined && wanted.has(single) && match.end - match.start <= 2))
        continue;
      const last = found.at(-1);
      // The pairs of a script without spaces overlap.
      if (last !== undefined && match.start < last.end) last.end = match.end;
      else found.push(match);
    }
    return found;
  };
}
