import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { createApp, type App } from '../src/app/app.ts';
import { readCollection } from './retrieval/collection.ts';
import { loadConfig } from '../src/settings/config.ts';
import type { Clock } from '../src/domain/clock.ts';
import type { NewGoal } from '../src/domain/records/analyses/goal.ts';
import { accountSchema } from '../src/store/sqlite/schema.ts';

/*
 * The library that bench/answers.ts asks: sixty pages, PDFs and transcripts of the corpora, saved on the days that
 * bench/data/answer-items.jsonl says. Nothing is fetched.
 */

/** The moment at which all questions are asked: a Friday morning. */
export const askedAt = Date.parse('2026-03-06T09:00:00Z');

const account = 'local';

const savedItem = z.strictObject({
  /** What the tasks call it. */
  key: z.string().min(1),
  /** Id of a page in `articles/`. */
  article: z.string().optional(),
  /** Id of a page in `articles/` whose text is saved as captions of a video. */
  captionsOf: z.string().optional(),
  /** Name of a file in `pdf/files/`, without its ending. */
  pdf: z.string().optional(),
  /** A collection in `retrieval/`, and the first and last of the documents that make one page. */
  collection: z.string().optional(),
  documents: z.tuple([z.string(), z.string()]).optional(),
  /** Pages have their own address; other items get this made-up one. */
  url: z.string().optional(),
  title: z.string().optional(),
  tags: z.array(z.string()),
  savedAt: z.string(),
});
export type SavedItem = z.infer<typeof savedItem>;

const dataFile = (name: string) => new URL(`data/${name}`, import.meta.url);

export function readJsonLines<T>(text: string, schema: z.ZodType<T>): T[] {
  return text
    .trim()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)));
}

export const readItems = (): SavedItem[] =>
  readJsonLines(readFileSync(dataFile('answer-items.jsonl'), 'utf8'), savedItem);

/** The user's goals. They exist before anything is saved, so that action items are linked to them. */
const goals = [
  { title: 'Run a marathon next spring', category: 'Health', description: 'Train four days a week without injury' },
  {
    title: 'Earn a higher salary',
    category: 'Wealth',
    description: 'Negotiate the next job offer: pay, benefits, bonus',
  },
  { title: 'Raise a well-behaved puppy', category: 'Relationships', description: 'Training, patience, time together' },
] satisfies NewGoal[];

/** The code that makes a library's records. A library is rebuilt when a file of it has changed. */
const builders = ['sources', 'pipeline', 'models', 'domain/text', 'domain/links'].map((name) =>
  fileURLToPath(new URL(`../src/${name}`, import.meta.url)),
);

/** What identifies an item to an assistant. */
export interface KnownItem {
  id: string;
  url: string;
}

export interface Library {
  /** Folder of the finished library; open a copy of it. */
  folder: string;
  /** By key. */
  items: ReadonlyMap<string, KnownItem>;
  goals: ReadonlyMap<string, string>;
}

/** A clock that shows the time that was set last, and goes on from there. */
function createSetClock(): Clock & { set(to: number): void } {
  let base = askedAt;
  let began = performance.now();
  return {
    set(to) {
      base = to;
      began = performance.now();
    },
    now: () => Math.floor(base + performance.now() - began),
    elapsed: () => performance.now(),
    uptime: () => performance.now(),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, ms);
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(signal.reason as Error);
        });
      }),
  };
}

/** Opens a copy of the library for questions, at the time at which they are asked. */
export function openLibrary(folder: string): Promise<App> {
  return createApp(loadConfig({ data: folder, logLevel: 'error', workers: 0 }, {}), {
    clock: { ...createSetClock(), now: () => askedAt },
  });
}

/**
 * Builds the library, or finds the one that an earlier run built from the same items with the same code.
 * @param corpora the folder with `articles/`, `pdf/` and `retrieval/`
 * @param rebuild build it again
 */
export async function buildLibrary(corpora: string, rebuild: boolean): Promise<Library> {
  const hash = createHash('sha256')
    .update(readFileSync(dataFile('answer-items.jsonl')))
    .update(JSON.stringify(goals))
    .update(accountSchema.sql);
  for (const folder of builders) {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).toSorted())
      hash.update(readFileSync(path));
  }
  const name = `commonplace-answers-${hash.digest('hex').slice(0, 12)}`;
  const folder = join(tmpdir(), name);
  const namesFile = join(folder, 'names.json');
  if (rebuild) rmSync(folder, { recursive: true, force: true });
  if (!existsSync(namesFile)) {
    const building = `${folder}.${process.pid}`;
    mkdirSync(building, { recursive: true });
    const names = await fill(building, corpora);
    writeFileSync(join(building, 'names.json'), JSON.stringify(names));
    rmSync(folder, { recursive: true, force: true });
    renameSync(building, folder);
  }
  const names = builtNames.parse(JSON.parse(readFileSync(namesFile, 'utf8')));
  return { folder, items: new Map(Object.entries(names.items)), goals: new Map(Object.entries(names.goals)) };
}

const builtNames = z.object({
  items: z.record(z.string(), z.object({ id: z.string(), url: z.string() })),
  goals: z.record(z.string(), z.string()),
});

async function fill(folder: string, corpora: string): Promise<z.infer<typeof builtNames>> {
  const clock = createSetClock();
  const app = await createApp(loadConfig({ data: folder, logLevel: 'error' }, {}), { clock });
  const names: z.infer<typeof builtNames> = { items: {}, goals: {} };
  try {
    const items = readItems();
    clock.set(Date.parse(items[0]?.savedAt ?? '') - 86_400_000);
    for (const one of goals) names.goals[one.title] = (await app.services.goals.add(account, one)).id;
    for (const item of items) {
      clock.set(Date.parse(item.savedAt));
      const { id, url } = await save(app, corpora, item);
      names.items[item.key] = { id, url: url ?? '' };
      await app.worker.runUntilEmpty();
    }
    for (const { key } of items) {
      const { status, failure } = await app.services.library.get(account, names.items[key]?.id ?? '');
      if (status !== 'completed') throw new Error(`${key} is ${status}: ${failure?.message ?? ''}`);
    }
  } finally {
    await app.close();
  }
  return names;
}

const page = z.object({ id: z.string(), url: z.string(), html: z.string(), text: z.string() });

async function save(app: App, corpora: string, item: SavedItem): Promise<{ id: string; url: string | null }> {
  const { library } = app.services;
  const { tags, title } = item;
  const signal = AbortSignal.timeout(120_000);
  if (item.pdf !== undefined) {
    const read = await app.readFile(join(corpora, 'pdf', 'files', `${item.pdf}.pdf`));
    const url = item.url ?? read.url;
    return library.saveResource(account, { ...read, url, finalUrl: url }, { tags }, { signal });
  }
  const about = { tags, title, url: item.url ?? '' };
  if (item.collection !== undefined)
    return library.save(account, { ...about, text: await textOfCollection(corpora, item) }, { signal });
  const pages = readJsonLines(readFileSync(join(corpora, 'articles', 'manifest.jsonl'), 'utf8'), page);
  const found = pages.find(({ id }) => id === (item.article ?? item.captionsOf));
  if (found === undefined) throw new Error(`the corpora have no page for ${item.key}`);
  if (item.captionsOf !== undefined)
    return library.save(account, { ...about, captions: asCaptions(found.text) }, { signal });
  const html = gunzipSync(readFileSync(join(corpora, 'articles', found.html))).toString('utf8');
  return library.save(account, { ...about, url: item.url ?? found.url, html }, { signal });
}

async function textOfCollection(corpora: string, { collection, documents, title }: SavedItem): Promise<string> {
  const { documents: all } = await readCollection(join(corpora, 'retrieval', collection ?? ''));
  const place = (wanted: string | undefined) => all.findIndex(({ id }) => id === wanted);
  const texts = all.slice(place(documents?.[0]), place(documents?.[1]) + 1).map(({ text }) => text);
  if (texts.length === 0) throw new Error('the collection does not have these documents');
  return [`# ${title ?? ''}`, ...texts].join('\n\n');
}

/** Words of a caption, and of a second of speech. */
const captionWords = 9;
const wordsPerSecond = 2.5;

/** A text as somebody would read it out: WebVTT. */
function asCaptions(text: string): string {
  const words = text.split(/\s+/);
  const captions: string[] = [];
  for (let at = 0; at < words.length; at += captionWords) {
    const spoken = words.slice(at, at + captionWords);
    const [start, end] = [at, at + spoken.length].map((word) => stamp(word / wordsPerSecond));
    captions.push(`${start} --> ${end}\n${spoken.join(' ')}`);
  }
  return `WEBVTT\n\n${captions.join('\n\n')}\n`;
}

const stamp = (seconds: number) => new Date(Math.round(seconds * 1_000)).toISOString().slice(11, 23);
