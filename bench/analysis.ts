/**
 * Measures the analyst without a model: `node bench/analysis.ts [folder of articles]`.
 * The folder holds `manifest.jsonl` (`text`: the main content, `html`: the page, gzipped, `title`).
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { layOutTranscript } from '../src/domain/records/texts/document.ts';
import { sentences } from '../src/domain/text/sentences.ts';
import type { Analysis } from '../src/domain/records/analyses/analysis.ts';
import { createLog } from '../src/workers/log.ts';
import type { Analyst } from '../src/models/analysis/analyst.ts';
import { createExtractiveAnalyst } from '../src/models/analysis/extractive/extractive.ts';
import { createMiniLm } from '../src/models/embedding/minilm/minilm.ts';
import { createTitleComparer } from '../src/models/embedding/title-comparer.ts';

interface Article {
  title: string | null;
  text: string;
  html: string;
}

interface LabelledSentence {
  text: string;
  action: boolean;
  /** Rules are tuned on the one part only. Who looks at a held-out sentence moves the whole part and writes a new one. */
  split: 'train' | 'held-out';
}

/** A page as it is saved; the verdict on `null` is open, for two labellings of it disagree. */
interface LabelledPage {
  title: string;
  split: 'train' | 'held-out';
  blocks: { heading?: string; list?: true; sentences?: { text: string; action: boolean | null }[] }[];
}

interface ForeignSentence extends LabelledSentence {
  language: string;
}

const signal = new AbortController().signal;
const log = createLog('warn');
const embedder = createMiniLm({ idleMs: 60_000, log });
const byForm = createExtractiveAnalyst();
const withModel = createExtractiveAnalyst(createTitleComparer(embedder, log));
class Count {
  sentences = 0;
  #right = 0;
  #wrong = 0;
  #missed = 0;

  add(found: boolean, action: boolean): void {
    this.sentences += 1;
    if (found && action) this.#right += 1;
    else if (found) this.#wrong += 1;
    else if (action) this.#missed += 1;
  }

  row(what: string): object {
    return {
      what,
      sentences: this.sentences,
      actions: this.#right + this.#missed,
      taken: this.#right + this.#wrong,
      precision: (this.#right / (this.#right + this.#wrong)).toFixed(3),
      recall: (this.#right / (this.#right + this.#missed)).toFixed(3),
    };
  }
}

/** Each page is read as a whole; every sentence of it that is taken must be one that is labelled as an action. */
async function measurePages(file: URL): Promise<void> {
  const table: object[] = [];
  const counts = { train: new Count(), 'held-out': new Count() };
  for (const { title, split, blocks } of readLines<LabelledPage>(file)) {
    const transcript = layOutTranscript(
      blocks.map(({ heading, list, sentences = [] }) => {
        if (heading !== undefined) return { kind: 'heading', level: 2, text: `## ${heading}` };
        const texts = sentences.map(({ text }) => text);
        return list === true
          ? { kind: 'list', text: texts.map((text) => `- ${text}`).join('\n') }
          : { kind: 'paragraph', text: texts.join(' ') };
      }),
    );
    const { actions } = await withModel.analyse({ title, language: 'en', ...transcript }, [], signal);
    const taken = actions.map(({ quote }) => transcript.text.slice(quote.start, quote.end));
    for (const { text, action } of blocks.flatMap(({ sentences = [] }) => sentences))
      if (action !== null) counts[split].add(taken.includes(text), action);
  }
  for (const [split, count] of Object.entries(counts)) if (count.sentences > 0) table.push(count.row(split));
  console.log(`Actions: what is taken from whole pages? ${basename(file.pathname)}`);
  console.table(table);
}

/** As `measureActions`, in the languages that have tables. */
async function measureForeign(file: URL): Promise<void> {
  const counts = new Map<string, Count>();
  for (const { language, text, action, split } of readLines<ForeignSentence>(file)) {
    const name = `${language}, ${split}`;
    const count = counts.get(name) ?? new Count();
    counts.set(name, count);
    count.add((await analyse(null, [text], byForm, language)).actions.length > 0, action);
  }
  console.log('Actions in other languages');
  console.table([...counts].map(([name, count]) => count.row(name)));
}

interface ForeignPage {
  language: string;
  title: string;
  /** `insight`: whether a reader would underline it. */
  paragraphs: { text: string; insight: boolean }[][];
}

/** Whole pages: is what is picked what a reader would underline? */
async function measureForeignInsights(file: URL): Promise<void> {
  const counts = new Map<string, { picked: number; right: number; sentences: number; underlined: number }>();
  for (const { language, title, paragraphs } of readLines<ForeignPage>(file)) {
    const texts = paragraphs.map((sentences) => sentences.map(({ text }) => text).join(' '));
    const transcript = layOutTranscript(texts.map((text) => ({ kind: 'paragraph', text })));
    const { insights } = await byForm.analyse({ title, language, ...transcript }, [], signal);
    const underlined = new Set(paragraphs.flat().flatMap(({ text, insight }) => (insight ? [text] : [])));
    const count = counts.get(language) ?? { picked: 0, right: 0, sentences: 0, underlined: 0 };
    counts.set(language, count);
    count.picked += insights.length;
    count.right += insights.filter(({ text }) => underlined.has(text)).length;
    count.sentences += paragraphs.flat().length;
    count.underlined += underlined.size;
  }
  console.log('Insights in other languages');
  console.table(Object.fromEntries(counts));
}

interface Measured {
  articles: number;
  /** Sums of ROUGE-1 recall, ROUGE-2 recall and characters. */
  ours: [number, number, number];
  lead: [number, number, number];
  /** The text's beginning, cut after the word at which it is as long as our summary of the same page. */
  leadAsLong: [number, number, number];
}

async function measureSummaries(path: string): Promise<void> {
  const all: Measured = { articles: 0, ours: [0, 0, 0], lead: [0, 0, 0], leadAsLong: [0, 0, 0] };
  const written: Measured = {
    articles: 0,
    ours: [0, 0, 0],
    lead: [0, 0, 0],
    leadAsLong: [0, 0, 0],
  };
  let [insights, actions, withActions, ms] = [0, 0, 0, 0];
  for (const article of readLines<Article>(join(path, 'manifest.jsonl'))) {
    const description = metaDescription(gunzipSync(readFileSync(join(path, article.html))).toString('utf8'));
    // Shorter ones are slogans or the title again, and no summary of the text.
    if (wordsOf(description).length < 10) continue;
    const started = performance.now();
    const analysis = await analyse(article.title, article.text.split('\n'), withModel);
    ms += performance.now() - started;
    insights += analysis.insights.length;
    actions += analysis.actions.length;
    if (analysis.actions.length > 0) withActions += 1;
    const paragraphs = article.text.replaceAll('\n', '\n\n');
    const lead = sentences(paragraphs)
      .slice(0, 3)
      .map(({ start, end }) => paragraphs.slice(start, end))
      .join(' ');
    const length = analysis.summary?.length ?? 0;
    const leadAsLong = paragraphs.slice(0, length) + (/^\S*/.exec(paragraphs.slice(length))?.[0] ?? '');
    // A description that is the text's own beginning rewards whoever copies the beginning.
    const copied = wordsOf(article.text).join(' ').includes(wordsOf(description).slice(0, 8).join(' '));
    for (const set of copied ? [all] : [all, written]) {
      set.articles += 1;
      addTo(set.ours, description, analysis.summary ?? '');
      addTo(set.lead, description, lead);
      addTo(set.leadAsLong, description, leadAsLong);
    }
  }
  console.log("Summaries against the pages' own descriptions of at least 10 words");
  console.table([...rows('all', all), ...rows('description not copied from the text', written)]);
  console.log(
    `${(insights / all.articles).toFixed(1)} insights and ${(actions / all.articles).toFixed(1)} actions an article, ` +
      `${all.articles - withActions} articles without actions; ${(ms / all.articles).toFixed(0)} ms an article`,
  );
}

function addTo(sums: [number, number, number], description: string, summary: string): void {
  sums[0] += rougeRecall(description, summary, 1);
  sums[1] += rougeRecall(description, summary, 2);
  sums[2] += summary.length;
}

function rows(set: string, { articles, ours, lead, leadAsLong }: Measured): object[] {
  return Object.entries({
    'extractive analyst': ours,
    'first three sentences': lead,
    'beginning, as long': leadAsLong,
  }).map(([by, sums]) => ({
    set,
    articles,
    by,
    'ROUGE-1 recall': (sums[0] / articles).toFixed(3),
    'ROUGE-2 recall': (sums[1] / articles).toFixed(3),
    characters: Math.round(sums[2] / articles),
  }));
}

function analyse(
  title: string | null,
  paragraphs: readonly string[],
  analyst: Analyst,
  language = 'en',
): Promise<Analysis> {
  const transcript = layOutTranscript(paragraphs.map((text) => ({ kind: 'paragraph', text })));
  return analyst.analyse({ title, language, ...transcript }, [], signal);
}

function readLines<Line>(file: string | URL): Line[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));
}

/** The share of the reference's n-grams that the candidate has, counted with their repetitions; no stemming. */
function rougeRecall(reference: string, candidate: string, n: number): number {
  const wanted = ngrams(reference, n);
  const had = ngrams(candidate, n);
  let total = 0;
  let shared = 0;
  for (const [gram, count] of wanted) {
    total += count;
    shared += Math.min(count, had.get(gram) ?? 0);
  }
  return total === 0 ? 0 : shared / total;
}

function ngrams(text: string, n: number): Map<string, number> {
  const words = wordsOf(text);
  const counts = new Map<string, number>();
  for (let i = 0; i + n <= words.length; i += 1) {
    const gram = words.slice(i, i + n).join(' ');
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function metaDescription(html: string): string {
  const found = new Map<string, string>();
  const parser = new Parser({
    onopentag(name, { name: key, property, content }) {
      const kind = (key ?? property ?? '').toLowerCase();
      if (name === 'meta' && content !== undefined && !found.has(kind)) found.set(kind, content.trim());
    },
  });
  parser.end(html);
  return found.get('description') || found.get('og:description') || '';
}

await measurePages(new URL('data/action-pages.jsonl', import.meta.url));
await measurePages(new URL('data/selling-pages.jsonl', import.meta.url));
await measureForeign(new URL('data/foreign-sentences.jsonl', import.meta.url));
await measureForeignInsights(new URL('data/foreign-pages.jsonl', import.meta.url));
const folder = process.argv[2];
if (folder !== undefined) await measureSummaries(folder);
await embedder.close();
