import type { ItsFunction } from 'wink-nlp';

/** A word or punctuation mark with its part of speech (Universal POS tags) and its lemma. */
export interface TaggedToken {
  value: string;
  pos: string;
  lemma: string;
}

/** Tags English text. Pass one sentence at a time; each takes a tenth of a millisecond. */
export type Tagger = (text: string) => TaggedToken[];

/** Loads the tagger (a third of a second, some 20 MB). Call it only when instructions are needed. */
export async function loadTagger(): Promise<Tagger> {
  const [{ default: winkNlp }, { default: model }] = await Promise.all([
    import('wink-nlp'),
    import('wink-eng-lite-web-model'),
  ]);
  const nlp = winkNlp(model, ['pos']);
  const { its } = nlp;
  // `out` returns the words themselves, without an error, for any function that is not the package's own. So
  // `its.lemma` is passed unwrapped, with a cast: the package's two types disagree about a third argument.
  const lemmaOf = its.lemma as ItsFunction<string>;
  return (text) => {
    const tokens = nlp.readDoc(text).tokens();
    const tags = tokens.out(its.pos);
    const lemmas = tokens.out(lemmaOf);
    return tokens.out(its.value).map((value, i) => ({ value, pos: tags[i] ?? 'X', lemma: lemmas[i] ?? value }));
  };
}
