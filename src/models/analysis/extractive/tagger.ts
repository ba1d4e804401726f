import type { ItsFunction } from 'wink-nlp';

/** A word or mark with its part of speech (Universal POS names) and its dictionary form. */
export interface Token {
  value: string;
  pos: string;
  lemma: string;
}

/** Tags English text. Wants one sentence at a time: a tenth of a millisecond each. */
export type Tagger = (text: string) => Token[];

/** Loads the tagger (a third of a second, some 20 MB): only when instructions are looked for. */
export async function loadTagger(): Promise<Tagger> {
  const [{ default: winkNlp }, { default: model }] = await Promise.all([
    import('wink-nlp'),
    import('wink-eng-lite-web-model'),
  ]);
  const nlp = winkNlp(model, ['pos']);
  const { its } = nlp;
  // `out` silently gives the words themselves for any function that is not the package's own, so it gets this one
  // as it is; the package's types of the two disagree about a third argument.
  const lemmaOf = its.lemma as ItsFunction<string>;
  return (text) => {
    const tokens = nlp.readDoc(text).tokens();
    const tags = tokens.out(its.pos);
    const lemmas = tokens.out(lemmaOf);
    return tokens.out(its.value).map((value, i) => ({ value, pos: tags[i] ?? 'X', lemma: lemmas[i] ?? value }));
  };
}
