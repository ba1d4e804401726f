import type { Analysis } from '../../../domain/records/analysis.ts';
import { shortened } from '../../../domain/text/shortened.ts';
import { withoutTrailing } from '../../../domain/text/trailing.ts';
import type { AnalysisInput } from '../analyst.ts';
import type { SourceSentence } from './candidates.ts';
import type { CompareMeanings } from './goals.ts';
import { instructs } from './instructions.ts';
import { english } from './languages/english.ts';
import { beginsPost, isSentenceLike, listLevel, nameWithin, readOutline, type Outline } from './outline.ts';
import {
  centrality,
  countTerms,
  pickDiverse,
  similarity,
  type Alike,
  type InverseFrequency,
  type TermCounts,
} from './rank.ts';
import { begins, contains, countOf, phrases } from './phrases.ts';
import type { Pause } from './pause.ts';
import type { LanguageTable } from './languages/language-table.ts';
import {
  introduces,
  isFurniture,
  isHollow,
  isOfNames,
  isSentence,
  isUnspaced,
  isUnstopped,
  leans,
  stopped,
} from './statements.ts';
import { wordsOf } from './words.ts';

const summaryCharacters = 600;
const minListCharacters = 260;
const maxNameListed = 100;
const maxInsights = 5;
const minInsight = 50;
const minScore = 0.3;
const minWorth = 0.6;
/** Two sentences that are more alike say the same. */
const maxAlike = 0.75;
/** So many candidates each for the summary and the insights: the choice is quadratic in their number. */
const maxCompared = 9;
/** Questions of an asker among which the one nearest to the title is looked for. */
const maxAsked = 100;
/** What a sentence gains that instructs nobody. */
const statement = 0.4;

interface Scored {
  sentence: SourceSentence;
  terms: TermCounts;
  /** How well it tells what the text says. */
  score: number;
  /** How early it stands, 0–1. */
  lead: number;
  /** How much it is worth as a single claim. */
  worth: number;
}

interface Page {
  title: string;
  outline: Outline;
  table: LanguageTable | null;
  isEnglish: boolean;
  label: (what: (typeof labelled)[number]) => string;
}

interface Chosen {
  text: string | null;
  picked: readonly Scored[];
}

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

/** Sections in which the writer says it once more in short. */
const inShort =
  phrases(`abstract, takeaways, key takeaways, main takeaways, takeaway, key takeaway, key points, main points, key findings, main findings, findings, results, key results, tl dr, tldr, summary, executive summary, in short,
  in brief, in summary, in a nutshell, at a glance, highlights, bottom line, the bottom line, zusammenfassung, das wichtigste, auf einen blick, résumé, en bref, l'essentiel, resumen, en resumen, riassunto, in breve, resumo, em resumo, samenvatting, in het kort`);
const abstract = /^abstract\b/i;
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
/** The verb of a definition, or of a sentence that says what something does. */
const defining = phrases(
  'is, are, was, were, refers to, refer to, means, helps, help, lets, makes, provides, offers, uses',
);
/** Verbs of a heading that says something. */
const verbsOfClaims = phrases(
  `is, are, was, were, will, won't, isn't, aren't, can, can't, cannot, has, have, does, doesn't, don't, should, must, may, might, means, need, needs, makes, helps, works`,
);
const questioning = phrases('how, what, why, when, where, which, who');

export interface ReadingTools {
  /** Of the text's language; null for English and for languages that have none. */
  table: LanguageTable | null;
  /** Compares by meaning; null where that is not possible: sentences are then compared by their words. */
  compare: CompareMeanings | null;
  isEnglish: boolean;
  /** Where the sentences begin that became actions: they are no insights as well. */
  tasks: ReadonlySet<number>;
  pause: Pause;
}

/**
 * Summarises a text in its own sentences and, where its shape tells it, in a line with its heads, its price, or a question and its
 * answer. Other good sentences and headings become insights with their positions.
 */
export async function extract(
  input: AnalysisInput,
  found: readonly SourceSentence[],
  { table, isEnglish, compare, tasks, pause }: ReadingTools,
): Promise<Pick<Analysis, 'summary' | 'insights'>> {
  const outline = readOutline(input);
  const page: Page = {
    title: input.title ?? '',
    outline,
    table,
    isEnglish,
    label: labeller(input.language),
  };
  const told: SourceSentence[] = [];
  const words = new Set([wordsOf(page.title).join(' ')]);
  for (const sentence of [...found, ...headsThatSay(page)]) {
    await pause();
    if (mayBeTold(sentence, page) && isNew(sentence, words)) told.push(sentence);
  }
  told.sort((x, y) => x.start - y.start);
  const { scored, idf } = await score(told, page, pause);
  const alone = scored.filter(({ sentence: { plain } }) => !leans(plain, page.title, table));
  const saying = alone.filter(({ sentence: { plain } }) => !introduces(plain));
  const answers = outline.isDiscussion ? answersAmong(saying, found) : [];
  const any = outline.isShelf || outline.isDiscussion ? [] : [saying, alone, scored];
  const [telling = []] = [answers, ofAbstract(saying), ofWhole(saying, page), ofWhole(alone, page), ...any].filter(
    (some) => some.length > 0,
  );
  const stating = ({ sentence }: Scored): boolean => !instructs(sentence, table ?? english);
  const forSummary = best(telling, ({ score, lead }) => score + lead / 2).map((one) => {
    if (outline.isDiscussion || !stating(one)) return one;
    one.score += statement;
    return one;
  });
  const claims = outline.isShelf || outline.isDiscussion ? telling : saying;
  const forInsights = best(
    claims.filter((one) => !tasks.has(one.sentence.start) && mayBeInsight(one, page)),
    ({ worth }) => worth,
    2 * maxCompared,
  )
    .values()
    .filter(stating)
    .take(maxCompared)
    .toArray();
  const alike = await readMeanings([...new Set([...forSummary, ...forInsights])], page, idf, compare);

  const { text, picked } = outline.isDiscussion
    ? discuss(found, scored, forSummary, page)
    : summarise(forSummary, page, alike);
  return {
    summary: text,
    insights: insights(forInsights, picked, page, alike).map(({ sentence: { plain, start, end } }) => ({
      text: plain,
      quote: { start, end },
    })),
  };
}

/** The sentences of the abstract of a paper; none when it has no abstract. */
function ofAbstract(scored: readonly Scored[]): readonly Scored[] {
  const first = scored.find(({ sentence: { plain, heading } }) => abstract.test(heading) || abstract.test(plain));
  if (first === undefined) return [];
  const { heading, block } = first.sentence;
  return scored.filter(({ sentence }) => sentence.heading === heading && sentence.block >= block);
}

/** What is said before the first item of a list is of the whole; on a shelf or a front page, what speaks of its title. */
function ofWhole(scored: readonly Scored[], { outline, title }: Page): readonly Scored[] {
  if (!outline.isShelf && outline.list?.kind !== 'lists') return scored;
  const names = new Set(outline.list?.names);
  const first = outline.heads.find(({ name }) => names.has(name))?.start ?? Infinity;
  const items = new Set(outline.heads.map(({ plain }) => plain));
  const ofTitle = countTerms(title);
  return scored.filter(({ sentence: { kind, start, heading, plain }, terms }) =>
    outline.isShelf
      ? kind === 'paragraph' && !items.has(heading) && !isUnstopped(plain) && titleShare(terms, ofTitle) > 0
      : start < first,
  );
}

async function score(
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
      lead: 1 / (1 + i / 4),
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

/** How many of the headings a sentence shares words with, 0–1: one that sums up speaks of several. */
function coverageOf(heads: readonly TermCounts[]): (own: TermCounts) => number {
  const known = new Map<string, number>();
  for (const { counts } of heads) for (const term of counts.keys()) known.set(term, (known.get(term) ?? 0) + 1);
  return ({ counts }) => {
    let sum = 0;
    for (const term of counts.keys()) sum += known.get(term) ?? 0;
    return Math.min(1, sum / Math.max(4, heads.length));
  };
}

function titleShare(own: TermCounts, title: TermCounts): number {
  if (title.counts.size === 0) return 0;
  let shared = 0;
  for (const term of title.counts.keys()) if (own.counts.has(term)) shared += 1;
  return shared / title.counts.size;
}

function best(scored: readonly Scored[], by: (one: Scored) => number, limit = maxCompared): Scored[] {
  return scored.toSorted((x, y) => by(y) - by(x)).slice(0, limit);
}

/** How alike two candidates are, 0–1: by meaning where a model tells it, else by their words. Adds to the scores what a model tells. */
async function readMeanings(
  candidates: readonly Scored[],
  { title }: Page,
  idf: InverseFrequency,
  compare: CompareMeanings | null,
): Promise<Alike<Scored>> {
  const byWords: Alike<Scored> = (one, other) => similarity(one.terms, other.terms, idf);
  if (compare === null || candidates.length < 2) return byWords;
  const texts = candidates.map(({ sentence }) => sentence.plain);
  const pairs = texts.flatMap((text, i) => [
    { title, sentences: [text] },
    ...texts.slice(i + 1).map((other) => ({ title: text, sentences: [other] })),
  ]);
  const cosines = await compare(title === '' ? pairs.filter(({ title }) => title !== '') : pairs);
  if (cosines === null) return byWords;
  const near = new Map<Scored, Map<Scored, number>>(candidates.map((one) => [one, new Map<Scored, number>()]));
  let at = 0;
  for (const [i, one] of candidates.entries()) {
    const toTitle = title === '' ? 0 : (cosines[at++] ?? 0);
    one.score += 0.8 * toTitle;
    one.worth += 0.4 * toTitle;
    for (const other of candidates.slice(i + 1)) {
      const cosine = cosines[at++] ?? 0;
      near.get(one)?.set(other, cosine);
      near.get(other)?.set(one, cosine);
    }
  }
  for (const [one, others] of near) {
    const mean = [...others.values()].reduce((sum, cosine) => sum + cosine, 0) / others.size;
    one.score += mean;
    one.worth += mean;
  }
  return (one, other) => near.get(one)?.get(other) ?? byWords(one, other);
}

function summarise(candidates: readonly Scored[], page: Page, alike: Alike<Scored>): Chosen {
  const { outline, label } = page;
  const isPaper = candidates.some(({ sentence: { heading, plain } }) => abstract.test(heading) || abstract.test(plain));
  const list = isPaper ? null : outline.list;
  const price = outline.price === null ? '' : `${label('price')}${outline.price}.`;
  const room = summaryCharacters - (list === null ? 0 : minListCharacters) - price.length - 2;
  // The first as news and reference begin, the others from the whole text.
  const opening = best(candidates, ({ score, lead }) => score + lead, 1);
  const limit = list === null ? 3 : list.kind === 'sections' || list.kind === 'features' ? 2 : 1;
  const others = pickDiverse(candidates, alike, {
    limit: limit - opening.length,
    score: ({ score }) => score,
    penalty: 0.4,
    before: opening,
    accept: (one, before) =>
      one.score >= minScore &&
      [...opening, ...before].every((other) => other !== one && alike(one, other) < maxAlike) &&
      [...opening, ...before, one].reduce((sum, { sentence }) => sum + stopped(sentence.plain).length + 1, 0) <= room,
  });
  const picked = [...opening, ...others].toSorted((x, y) => x.sentence.start - y.sentence.start);
  const said = picked.map(({ sentence }) => stopped(sentence.plain.replace(/^abstract\s?[—–:.-]\s?/i, '')));
  const before = [...said, price].filter((part) => part !== '').join(' ');
  const line = list === null ? '' : listLine(label(list.kind), list.names, summaryCharacters - before.length - 1);
  const text = [before, line].filter((part) => part !== '').join(' ');
  return { text: text === '' ? null : text, picked };
}

/** The heads of a list in one sentence, as many as there is room for; with their number if there are more. */
function listLine(label: string, names: readonly string[], room: number): string {
  const shown: string[] = [];
  let length = label.length + ' (999)'.length;
  for (const name of names) {
    const short = nameWithin(withoutTrailing(name, '.;!'), maxNameListed);
    length += short.length + 2;
    if (length > room) break;
    shown.push(short);
  }
  const isCut = shown.length < names.length;
  return `${isCut ? label.replace(/(?=: $)/, ` (${names.length})`) : label}${shown.join('; ')}${isCut ? '; …' : '.'}`;
}

/** What others than the asker say in a discussion: early answers, how they begin, and the asker's words count. */
function answersAmong(saying: readonly Scored[], found: readonly SourceSentence[]): Scored[] {
  const opening = found[0]?.heading ?? '';
  const asker = beginsPost(opening) ? opening.split(' · ')[0] : undefined;
  const answers = saying.filter(
    ({ sentence: { heading, plain } }) =>
      heading !== opening &&
      plain.length >= 40 &&
      plain.length <= 280 &&
      !/\bdiscussion starter\b/i.test(heading) &&
      (asker === undefined || !heading.startsWith(asker)),
  );
  const asked = countTerms(
    found
      .filter(({ heading }) => heading === opening)
      .map(({ plain }) => plain)
      .join(' '),
  );
  const posts = [...Map.groupBy(answers, ({ sentence: { heading } }) => heading).values()];
  return posts.flatMap((post, n) =>
    post.map((one, place) => ({
      ...one,
      score:
        one.score +
        titleShare(asked, one.terms) * Math.min(1, one.sentence.plain.length / 100) +
        0.5 / (1 + n) +
        (place === 0 ? 0.5 : 0),
    })),
  );
}

/** Question and answer: the asker's question that is nearest to the title, and the best of what others say. */
function discuss(
  found: readonly SourceSentence[],
  scored: readonly Scored[],
  answers: readonly Scored[],
  { title, table, label }: Page,
): Chosen {
  const opening = found[0]?.heading ?? '';
  const ofTitle = countTerms(title, table?.stopWords);
  const near = ({ plain }: SourceSentence): number =>
    titleShare(countTerms(plain, table?.stopWords), ofTitle) + Math.min(1, plain.length / 100) / 2;
  const question = found
    .filter(
      ({ heading, plain }) =>
        heading === opening && /\?["')]*$/.test(plain) && plain.length <= 250 && wordsOf(plain).length >= 5,
    )
    .slice(0, maxAsked)
    .toSorted((x, y) => near(y) - near(x))[0];
  const openings = scored.filter(({ sentence }) => sentence.heading === opening && sentence.plain.length <= 280);
  const lead = openings.find(({ sentence }) => sentence.plain.length >= 50) ?? openings[0];
  const answer = answers.toSorted((x, y) => y.score - x.score)[0]?.sentence;
  const next = found.find(
    ({ index, block, plain }) =>
      answer !== undefined && index === answer.index + 1 && block === answer.block && plain.length <= 180,
  );
  const said = [answer, next].flatMap((one) => (one === undefined ? [] : stopped(one.plain))).join(' ');
  const text = [
    ...(lead === undefined ? [] : [stopped(lead.sentence.plain)]),
    ...(question === undefined ? [] : [`${label('question')}${question.plain}`]),
    ...(said === '' ? [] : [`${label(question === undefined ? 'reply' : 'answer')}${said}`]),
  ].join(' ');
  const used = new Set([lead?.sentence, answer, next]);
  return {
    text: text === '' ? null : shortened(text, summaryCharacters),
    picked: scored.filter(({ sentence }) => used.has(sentence)),
  };
}

function insights(
  candidates: readonly Scored[],
  summary: readonly Scored[],
  page: Page,
  alike: Alike<Scored>,
): Scored[] {
  const open = candidates.filter((one) => !summary.includes(one) && one.worth >= minWorth);
  return pickDiverse(open, alike, {
    limit: maxInsights,
    score: ({ worth }) => worth,
    penalty: 1,
    before: summary,
    accept: (one, before) =>
      [...summary, ...before].every((other) => alike(one, other) < maxAlike) &&
      before.filter(({ sentence }) => sentence.heading === one.sentence.heading).length <
        (page.outline.heads.length < 4 ? maxInsights : 2),
  }).toSorted((x, y) => x.sentence.start - y.sentence.start);
}

function mayBeInsight(one: Scored, page: Page): boolean {
  const { plain, kind } = one.sentence;
  if (kind === 'heading') return true;
  return (
    (plain.length >= minInsight || isUnspaced(plain)) &&
    plain.length <= 320 &&
    !/^[([$€£]/.test(plain) &&
    /[.!。！।…]["'”’»)\]]*$/u.test(plain) &&
    (page.table !== null || !isHollow(plain)) &&
    namesItsThing(one, page)
  );
}

/** In a list, a sentence has to name the thing of its section, or the subject of the page. */
function namesItsThing({ sentence: { heading }, terms }: Scored, { outline, title }: Page): boolean {
  if (outline.list?.kind !== 'lists') return true;
  return [...countTerms(`${heading} ${title}`).counts.keys()].some((term) => terms.counts.has(term));
}

/** Headings that say something by themselves, when the summary does not list them. */
function headsThatSay({ outline }: Page): SourceSentence[] {
  if (outline.isDiscussion || outline.isShelf) return [];
  const names = new Set(outline.list?.names);
  return outline.heads
    .filter(
      ({ name, level }) =>
        level < listLevel &&
        !names.has(name) &&
        (isSentenceLike(name) ||
          (contains(wordsOf(name), verbsOfClaims) &&
            wordsOf(name).length >= 4 &&
            !/[?:]$/.test(name) &&
            !begins(wordsOf(name), questioning))),
    )
    .map(({ plain, start, end, block }) => {
      return { start, end, plain, index: -1, block, place: 0, kind: 'heading', heading: '', quoted: false, linked: 0 };
    });
}

/** In a language without labels the line begins with its first head. */
function labeller(language: string | null): Page['label'] {
  const words = labels[(language ?? 'en').slice(0, 2).toLowerCase()]?.split(' ');
  return (what) => (words === undefined ? '' : `${words[labelled.indexOf(what)]}: `);
}

/** Whether it is hardly more than the title. */
function repeatsTitle(plain: string, title: string): boolean {
  const words = wordsOf(title);
  const said = new Set(wordsOf(plain));
  return plain.length < 1.6 * title.length && words.filter((word) => said.has(word)).length >= 0.8 * words.length;
}

function mayBeTold(sentence: SourceSentence, { title, table }: Page): boolean {
  const { plain, kind } = sentence;
  if (kind !== 'heading' && !isSentence(sentence)) return false;
  if (kind !== 'heading' && table === null && isOfNames(plain)) return false;
  return !isFurniture(plain, table) && !repeatsTitle(plain, title);
}

/** Pages of shops and lists say the same in several places. */
function isNew({ plain }: SourceSentence, said: Set<string>): boolean {
  const words = wordsOf(plain).join(' ');
  const isKnown = said.has(words);
  said.add(words);
  return words === '' || !isKnown;
}
