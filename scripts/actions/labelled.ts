import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { layOutTranscript, type Transcript } from '../../src/domain/records/document.ts';
import { sniffResource } from '../../src/sources/decoding/sniff.ts';
import { sourceSentences } from '../../src/models/analysis/extractive/candidates.ts';
import { featuresOf, type Marks } from '../../src/models/analysis/extractive/features.ts';
import { findInstruction } from '../../src/models/analysis/extractive/grammar/instructions.ts';
import { profileOfPage } from '../../src/models/analysis/extractive/model.ts';
import { loadTagger } from '../../src/models/analysis/extractive/grammar/tagger.ts';
import { extractPage } from '../../src/sources/page/extract-page.ts';

export interface LabelledRow {
  /** Names the sentence in the files that go to and come from `tune.py`. */
  key: string;
  text: string;
  group: string;
  /** 1 or 0; null for another instruction of a labelled page: it says what company a sentence is in. */
  label: number | null;
  from: 'sentences' | 'real pages' | 'made pages';
  /** Whether the instruction scorer in the package has not learned from it. */
  isUnseen: boolean;
  /** Whether it has a page that is long enough to say what it is like. */
  page: boolean;
  /** The heading that it stands under on its page, or ''. */
  heading: string;
  /** Null where the grammar finds no instruction: missed, whatever the model says. */
  marks: Marks | null;
}

interface PageText extends Transcript {
  id: string;
  title: string | null;
}

const tag = await loadTagger();

/**
 * All labelled sentences to train from, with their marks. Held-out ones are never read. Says on the console how many labels found no
 * sentence: a page that is read otherwise than when it was labelled loses some.
 * @param corpora the folder with the pages that `page-sentences.jsonl` has labels for
 * @param kept a file that keeps what was read of the pages for the next run
 */
export async function readLabelled(corpora: string, kept: string | undefined): Promise<LabelledRow[]> {
  return [
    ...madeSentences(),
    ...(await realPages(join(corpora, 'articles'), kept)),
    ...madePages('training-pages.jsonl'),
    ...madePages('selling-pages.jsonl'),
  ];
}

function madeSentences(): LabelledRow[] {
  const lines = readLines<{ text: string; action: boolean; group: string; split: string }>('action-sentences.jsonl');
  return lines.flatMap(({ text, action, group, split }, n) => {
    if (split !== 'train') return [];
    // The long mixed lists are no groups of one subject; forty of them in a row are.
    const named = group.endsWith('list') ? `${group} ${Math.floor(n / 40)}` : group;
    const found = [...sourceSentences(layOutTranscript([{ kind: 'paragraph', text }]))].flatMap((sentence) => {
      const imperative = findInstruction(sentence, tag);
      return imperative === null ? [] : [featuresOf(sentence, imperative, null)];
    });
    return [{ ...identified(named, text), label: action ? 1 : 0, marks: found[0] ?? null, ...alone }];
  });
}

const alone = { from: 'sentences', page: false, heading: '', isUnseen: false } as const;

function identified(group: string, text: string): Pick<LabelledRow, 'key' | 'group' | 'text'> {
  return { key: checksum(`${group}\n${text}`), group, text };
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

async function realPages(folder: string, kept: string | undefined): Promise<LabelledRow[]> {
  const labels = new Map<string, Map<string, number>>();
  for (const { page, sentence, action } of readLines<{ page: string; sentence: string; action: boolean }>(
    'page-sentences.jsonl',
  )) {
    const known = labels.get(page) ?? new Map<string, number>();
    labels.set(page, known.set(sentence, action ? 1 : 0));
  }
  // Pages without a thing to do: whatever the grammar finds on them is none.
  const idle = new Map(
    readLines<{ page: string; split: string; open: string[] }>('selling-corpora-pages.jsonl').flatMap(
      ({ page, split, open }) => (split === 'train' ? [[page, new Set(open)] as const] : []),
    ),
  );
  const documents = await readPages(folder, new Set([...labels.keys(), ...idle.keys()]), kept);
  const found = documents.flatMap((document) => {
    const group = `page ${document.id}`;
    const open = idle.get(document.id);
    if (open === undefined) return pageSentences(document, group, 'real pages', labels.get(document.id) ?? new Map());
    return pageSentences(document, group, 'real pages', new Map()).map((row) => ({
      ...row,
      label: open.has(checksum(row.text)) ? null : 0,
      isUnseen: true,
    }));
  });
  reportUnresolved('real pages', [...labels.values()]);
  return found;
}

interface MadePage {
  title: string;
  split: string;
  blocks: { heading?: string; list?: true; sentences?: { text: string; action: boolean | null }[] }[];
}

/** Whole pages of our own; where `action` is null the verdict is open. */
function madePages(file: string): LabelledRow[] {
  const labels: Map<string, number>[] = [];
  const found = readLines<MadePage>(file).flatMap(({ title, split, blocks }) => {
    if (split !== 'train') return [];
    const known = new Map<string, number>();
    for (const { text, action } of blocks.flatMap(({ sentences = [] }) => sentences))
      if (action !== null) known.set(checksum(text), action ? 1 : 0);
    labels.push(known);
    const transcript = layOutTranscript(
      blocks.map(({ heading, list, sentences = [] }) => {
        if (heading !== undefined) return { kind: 'heading', level: 2, text: `## ${heading}` };
        const texts = sentences.map(({ text }) => text);
        return list === true
          ? { kind: 'list', text: texts.map((text) => `- ${text}`).join('\n') }
          : { kind: 'paragraph', text: texts.join(' ') };
      }),
    );
    const isUnseen = file === 'selling-pages.jsonl';
    return pageSentences({ title, ...transcript }, `made page ${title}`, 'made pages', known).map((row) => ({
      ...row,
      isUnseen,
    }));
  });
  reportUnresolved(file, labels);
  return found;
}

function reportUnresolved(what: string, labels: readonly ReadonlyMap<string, number>[]): void {
  const left = labels.reduce((sum, { size }) => sum + size, 0);
  if (left > 0) console.warn(`${what}: ${left} labels of sentences that were not found`);
}

/** @param known verdicts by the checksum of the sentence; those that are found are taken out */
function pageSentences(
  document: Omit<PageText, 'id'>,
  group: string,
  from: LabelledRow['from'],
  known: Map<string, number>,
): LabelledRow[] {
  const sentences = [...sourceSentences(document)];
  const code = document.blocks.filter(({ kind }) => kind === 'code');
  const codeShare = code.reduce((sum, { start, end }) => sum + end - start, 0) / document.text.length;
  const profile = profileOfPage(document.title, sentences, codeShare);
  return sentences.flatMap((sentence) => {
    const hash = checksum(sentence.plain);
    const label = known.get(hash) ?? null;
    // The same words a second time say nothing new.
    known.delete(hash);
    const imperative = findInstruction(sentence, tag);
    if (imperative === null && label === null) return [];
    const marks = imperative === null ? null : featuresOf(sentence, imperative, profile);
    const { heading } = sentence;
    return [
      { ...identified(group, sentence.plain), label, from, page: profile !== null, heading, marks, isUnseen: false },
    ];
  });
}

async function readPages(folder: string, wanted: ReadonlySet<string>, kept: string | undefined): Promise<PageText[]> {
  if (kept !== undefined && existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as PageText[];
  const read: PageText[] = [];
  for (const line of readFileSync(join(folder, 'manifest.jsonl'), 'utf8').trim().split('\n')) {
    const { id, url, html } = JSON.parse(line) as { id: string; url: string; html: string };
    if (!wanted.has(id)) continue;
    const bytes = new Uint8Array(gunzipSync(readFileSync(join(folder, html))));
    const { text } = await sniffResource(bytes, 'text/html', url);
    const { title, blocks } = await extractPage(text ?? '', url);
    read.push({ id, title, ...layOutTranscript(blocks) });
  }
  if (kept !== undefined) writeFileSync(kept, JSON.stringify(read));
  return read;
}

function readLines<Line>(name: string): Line[] {
  return readFileSync(new URL(`../../bench/data/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Line => JSON.parse(line));
}
