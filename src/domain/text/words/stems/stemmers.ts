import { createRequire } from 'node:module';

/** Returns the stem of a word in lower case. */
export type Stem = (word: string) => string;

interface StemmerModule {
  stemmer: Stem;
}

/** For languages that have no stemmer in a kept package: `maxStemLetters` alone shortens their words. */
const none = (): StemmerModule => ({ stemmer: (word) => word });

/*
 * Each is loaded when a text or a question needs it, so that reading only English costs nothing. The bundler includes a package
 * only if its name is a literal like this.
 */
const modules = {
  ar: () => createRequire(import.meta.url)('@orama/stemmers/arabic') as StemmerModule,
  bg: () => createRequire(import.meta.url)('@orama/stemmers/bulgarian') as StemmerModule,
  cs: none,
  da: () => createRequire(import.meta.url)('@orama/stemmers/danish') as StemmerModule,
  de: () => createRequire(import.meta.url)('@orama/stemmers/german') as StemmerModule,
  el: () => createRequire(import.meta.url)('@orama/stemmers/greek') as StemmerModule,
  es: () => createRequire(import.meta.url)('@orama/stemmers/spanish') as StemmerModule,
  fi: () => createRequire(import.meta.url)('@orama/stemmers/finnish') as StemmerModule,
  fr: () => createRequire(import.meta.url)('@orama/stemmers/french') as StemmerModule,
  ga: () => createRequire(import.meta.url)('@orama/stemmers/irish') as StemmerModule,
  hi: () => createRequire(import.meta.url)('@orama/stemmers/indian') as StemmerModule,
  hu: () => createRequire(import.meta.url)('@orama/stemmers/hungarian') as StemmerModule,
  hy: () => createRequire(import.meta.url)('@orama/stemmers/armenian') as StemmerModule,
  id: () => createRequire(import.meta.url)('@orama/stemmers/indonesian') as StemmerModule,
  it: () => createRequire(import.meta.url)('@orama/stemmers/italian') as StemmerModule,
  lt: () => createRequire(import.meta.url)('@orama/stemmers/lithuanian') as StemmerModule,
  ne: () => createRequire(import.meta.url)('@orama/stemmers/nepali') as StemmerModule,
  nl: () => createRequire(import.meta.url)('@orama/stemmers/dutch') as StemmerModule,
  no: () => createRequire(import.meta.url)('@orama/stemmers/norwegian') as StemmerModule,
  pl: none,
  pt: () => createRequire(import.meta.url)('@orama/stemmers/portuguese') as StemmerModule,
  ro: () => createRequire(import.meta.url)('@orama/stemmers/romanian') as StemmerModule,
  ru: () => createRequire(import.meta.url)('@orama/stemmers/russian') as StemmerModule,
  sk: none,
  sr: () => createRequire(import.meta.url)('@orama/stemmers/serbian') as StemmerModule,
  sv: () => createRequire(import.meta.url)('@orama/stemmers/swedish') as StemmerModule,
  ta: () => createRequire(import.meta.url)('@orama/stemmers/tamil') as StemmerModule,
  tr: () => createRequire(import.meta.url)('@orama/stemmers/turkish') as StemmerModule,
  uk: () => createRequire(import.meta.url)('@orama/stemmers/ukrainian') as StemmerModule,
};

/** A language that has a stemmer (ISO 639-1). English has none here: the index itself stems English words. */
export type StemmedLanguage = keyof typeof modules;

/** Norwegian has two written forms, which share a stemmer. */
const sameStemmer: Readonly<Record<string, StemmedLanguage>> = { nb: 'no', nn: 'no' };

/** The language of a tag (`de-AT` is `de`) when it has a stemmer. */
export function stemmedLanguage(tag: string | null): StemmedLanguage | null {
  const primary = tag?.toLowerCase().split(/[-_]/, 1)[0] ?? '';
  const language = sameStemmer[primary] ?? primary;
  return Object.hasOwn(modules, language) ? (language as StemmedLanguage) : null;
}

const loaded = new Map<StemmedLanguage, Stem>();

export function stemmerOf(language: StemmedLanguage): Stem {
  let stem = loaded.get(language);
  if (stem === undefined) {
    stem = modules[language]().stemmer;
    loaded.set(language, stem);
  }
  return stem;
}
