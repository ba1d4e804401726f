import type { ModelAddons } from 'wink-nlp';

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
  // The package's own types for `its.lemma` and for what `out` takes disagree on the third argument.
  const lemmaOf = (index: number, token: unknown, addons: unknown): string =>
    its.lemma(index, token, addons as ModelAddons);
  return (text) => {
    const tokens = nlp.readDoc(text).tokens();
    const tags = tokens.out(its.pos);
    const lemmas = tokens.out(lemmaOf);
    return tokens.out(its.value).map((value, i) => ({ value, pos: tags[i] ?? 'X', lemma: lemmas[i] ?? value }));
  };
}
