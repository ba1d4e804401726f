import { countTerms, centrality, type InverseFrequency, type TermCounts } from './rank.ts';
import type { SourceSentence } from './candidates.ts';
import type { LanguageTable } from './languages/tables.ts';
import type { Outline } from './outline.ts';
import type { Pause } from './pause.ts';
import { begins, contains, countOf, phrases, wordsOf } from './words.ts';
import { isHollow, isUnstopped } from './statements.ts';

/* Scores a sentence: how well it tells what its text says, and how much it is worth as a single claim. */

export interface Scored {
  sentence: SourceSentence;
  terms: TermCounts;
  /** Higher for a sentence that tells well what the text says. */
  score: number;
  /** 1 for the first sentence, lower for later ones. */
  lead: number;
  /** Its worth as a single claim. */
  worth: number;
}

export interface Page {
  title: string;
  outline: Outline;
  table: LanguageTable | null;
  isEnglish: boolean;
  label: (what: Label) => string;
}

/** The beginning of a line of our own words. */
export type Label = (typeof labelled)[number];

const labelled = [
  'lists',
  'chapters',
  'refutes',
  'sections',
  'features',
  'question',
  'answer',
  'reply',
  'price',
] as const;
/** By language, in the order of `labelled`. */
const labels: Record<string, string> = {
  en: 'Lists Chapters Refutes Sections Features Question Answer Reply Price',
  de: 'Nennt Kapitel Widerlegt Abschnitte Merkmale Frage Antwort Beitrag Preis',
  fr: 'Énumère Chapitres Réfute Sections Propriétés Question Réponse Message Prix',
  es: 'Enumera Capítulos Refuta Secciones Características Pregunta Respuesta Mensaje Precio',
  it: 'Elenca Capitoli Confuta Sezioni Caratteristiche Domanda Risposta Messaggio Prezzo',
  pt: 'Enumera Capítulos Refuta Secções Características Pergunta Resposta Mensagem Preço',
  nl: 'Noemt Hoofdstukken Weerlegt Delen Kenmerken Vraag Antwoord Bericht Prijs',
};

/** In a language without labels the line begins with its first head. */
export function labeller(language: string | null): Page['label'] {
  const words = labels[(language ?? 'en').slice(0, 2).toLowerCase()]?.split(' ');
  return (what) => (words === undefined ? '' : `${words[labelled.indexOf(what)]}: `);
}

/** Sections in which the writer says it once more in short. */
const inShort =
  phrases(`abstract, takeaways, key takeaways, main takeaways, takeaway, key takeaway, key points, main points, key findings, main findings, findings, results, key results, tl dr, tldr, summary, executive summary, in short,
  in brief, in summary, in a nutshell, at a glance, quick facts, highlights, bottom line, the bottom line, zusammenfassung, das wichtigste, auf einen blick, résumé, en bref, l'essentiel, resumen, en resumen, riassunto, in breve, resumo, em resumo, samenvatting, in het kort`);
export const abstract = /^abstract\b/i;
/** Sections that are about other texts. */
const apart = phrases(
  'references, footnotes, bibliography, sources, notes, citations, about the author, about the authors, related, acknowledgements, acknowledgments',
);

/** Words of reasons, changes and comparisons, of which claims are made. */
const claiming =
  phrases(`because, since, so that, leads to, lead to, led to, causes, cause, caused, results in, due to, means that, which means, reduce, reduces, reduced, reducing, increase, increases, increased, increasing, improve, improves, improved, improving, prevent,
  prevents, prevented, lower, lowers, raise, raises, cuts, double, doubles, doubled, halves, grew, rose, fell, drop, drops, dropped, compared to, compared with, more than, less than, fewer than, at least, instead of, rather than, unlike, only, never, most, largest, smallest, first,
  best, cheaper, cheapest, faster, unless, even if, although`);
const correcting = phrases(
  `no evidence, there's no, there is no, isn't, aren't, doesn't, don't, does not, do not, is not, are not, not true, false, actually, in fact, in reality, in truth, contrary, wrong, won't, can't, cannot, research, study, studies, fact, truth, reality`,
);
/** The myth itself, which is not to stand for its refutation. */
const believed = phrases(
  `myth is, myth that, myths is, myths are, myths that, believe that, believes that, believed to, believe in, perceived as, thought to, thought that, claim to, claims to, claimed to, claim that, claims that, promise to, promises to, touted as, said to, said that`,
);
const firstPerson = /(?:^|[^\p{L}’'])(?:I|[Mm]e|[Mm]y|[Ww]e|[Uu]s|[Oo]urs?)(?!\p{L})/u;
/** Matches where a writer greets a reader or begins with themselves; a text's first claim stands behind it. */
const addressesReader =
  /^(?:if|whether|before|when|once|have|are|do) (?:you|we)\b|(?:^|[^\p{L}’'])(?:I|[Mm]y)(?!\p{L})|\b(?:not alone|right place)\b/iu;
/** The verb of a definition, or of a sentence that says what something does. */
const defining = phrases(
  'is, are, was, were, refers to, refer to, means, helps, help, lets, makes, provides, offers, uses',
);
export async function score(
  told: readonly SourceSentence[],
  page: Page,
  pause: Pause,
): Promise<{ scored: Scored[]; idf: InverseFrequency }> {
  const { title, outline, table, isEnglish } = page;
  const terms: TermCounts[] = [];
  for (const { plain } of told) {
    await pause();
    terms.push(countTerms(plain, table?.stopWords));
  }
  const { scores, idf } = await centrality(terms, pause);
  const ofTitle = countTerms(title, table?.stopWords);
  const highest = scores.reduce((most, score) => Math.max(most, score), 1e-9);
  const headed = coverageOf(outline.heads.map(({ name }) => countTerms(name, table?.stopWords)));
  const refutes = outline.list?.kind === 'refutes';
  const scored: Scored[] = [];
  for (const [i, sentence] of told.entries()) {
    await pause();
    const { plain, heading } = sentence;
    const words = wordsOf(plain);
    const own = terms[i] ?? countTerms('');
    const titled = titleShare(own, ofTitle);
    const central = (scores[i] ?? 0) / highest;
    const isQuoted = sentence.quoted || /^["“]/.test(plain);
    const flaws =
      (isHollow(plain) ? 0.9 : 0) +
      (isUnstopped(plain) && sentence.kind !== 'heading' ? 0.4 : 0) +
      (firstPerson.test(plain) && !outline.isDiscussion && !abstract.test(heading) ? 0.3 : 0) +
      (isQuoted ? 1 : 0) +
      (begins(wordsOf(heading), apart) ? 1 : 0) +
      (outline.list?.kind === 'features' && sentence.kind === 'list' ? 1 : 0) +
      Math.max(0, (plain.length - 220) / 200);
    const virtues =
      (begins(wordsOf(heading), inShort) ? 0.6 : 0) +
      (refutes && contains(words, correcting) ? 0.6 : 0) -
      (refutes && (/^(?:myth|fiction)\b/i.test(plain) || contains(words, believed)) ? 1 : 0);
    const full = Math.min(1, plain.length / 150);
    // The words of reasons are English; elsewhere any sentence may have some.
    const told = isEnglish ? countOf(words, claiming) : 0.7;
    const weight = Math.min(3, told + Math.min(2, plain.match(/\d+|%|[$€£]/g)?.length ?? 0));
    scored.push({
      sentence,
      terms: own,
      lead: addressesReader.test(plain) && !outline.isDiscussion ? 0 : 1 / (1 + i / 4),
      score:
        0.15 * weight +
        virtues -
        flaws +
        0.6 * central +
        0.6 * headed(own) +
        0.8 * titled +
        0.4 * full +
        (titled > 0 && contains(words.slice(1, 9), defining) ? 0.3 : 0),
      // A heading that says something is a claim of the writer's own choice.
      worth:
        (sentence.kind === 'heading' ? 0.6 : 0) +
        virtues -
        1.5 * flaws +
        0.5 * central +
        0.3 * titled +
        0.4 * full +
        0.3 * weight,
    });
  }
  return { scored, idf };
}

/** The share of headings with which a sentence has words in common, 0–1: one that sums up speaks of several. */
function coverageOf(heads: readonly TermCounts[]): (own: TermCounts) => number {
  const known = new Map<string, number>();
  for (const { counts } of heads) for (const term of counts.keys()) known.set(term, (known.get(term) ?? 0) + 1);
  return ({ counts }) => {
    let sum = 0;
    for (const term of counts.keys()) sum += known.get(term) ?? 0;
    return Math.min(1, sum / Math.max(4, heads.length));
  };
}

export function titleShare(own: TermCounts, title: TermCounts): number {
  if (title.counts.size === 0) return 0;
  let shared = 0;
  for (const term of title.counts.keys()) if (own.counts.has(term)) shared += 1;
  return shared / title.counts.size;
}
