/*
 * Measures proposed tags on libraries whose tags are known: each item in turn is the new one, and its tags are those to
 * be found.
 *
 *   npm run build && node bench/tags.ts [--appstream <Components-amd64.yml.gz>] [--packages <node_modules>] [--cache <folder>]
 *     [<folder of a retrieval collection>…]
 *
 * AppStream is Debian's catalogue of programs (`apt-get update` keeps it in /var/lib/apt/lists): descriptions, and the
 * categories that their authors chose. Packages are READMEs with the keywords of their package.json: many authors, many
 * spellings. A tag of a document of a retrieval collection is a question that it answers; few answers were judged, so a
 * tag that counts as wrong may be right. A tag that fewer than five other items have cannot be proposed and is not to be
 * found. `share` is that of the items to which anything was proposed. The absences: the most used tags of the library,
 * and the same vote by words alone.
 */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { createApp } from '../src/app/app.ts';
import { minTagged } from '../src/domain/records/limits.ts';
import { foldTag } from '../src/domain/records/item.ts';
import { findLikeItems, voteForTags } from '../src/search/find-tags.ts';
import { loadConfig } from '../src/settings/config.ts';
import { documentResource, noAnalysis, readCollection } from './retrieval/collection.ts';

interface Tagged {
  id: string;
  title: string;
  text: string;
  tags: string[];
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { appstream: { type: 'string' }, packages: { type: 'string' }, cache: { type: 'string' } },
});

/** Categories of toolkits and desktops say nothing of what a program is for. */
const toolkits = new Set('gtk qt gnome kde application core x-gnome x-kde java consoleonly'.split(' '));

function* appstream(file: string): Generator<Tagged> {
  interface Component {
    ID?: string;
    Name?: { C?: string };
    Summary?: { C?: string };
    Description?: { C?: string };
    Categories?: string[];
  }
  const seen = new Set<string>();
  for (const source of gunzipSync(readFileSync(file)).toString().split(/^---$/m)) {
    if (!source.includes('\nCategories:') || !source.includes('\nDescription:')) continue;
    const { ID: id = '', Name, Summary, Description, Categories = [] } = parse(source) as Component;
    const text = (Description?.C ?? '').replaceAll(/<\/(?:p|li|ul|ol)>/g, '\n\n').replaceAll(/<[^>]+>/g, ' ');
    if (text.length < 150 || seen.has(id)) continue;
    seen.add(id);
    const tags = Categories.map(foldTag).filter((tag) => !toolkits.has(tag));
    yield { id, title: `${Name?.C ?? ''}: ${Summary?.C ?? ''}`, text, tags };
  }
}

function* packages(folder: string): Generator<Tagged> {
  for (const path of globSync(['*/package.json', '@*/*/package.json'], { cwd: folder }).sort()) {
    const { name = path, keywords } = JSON.parse(readFileSync(join(folder, path), 'utf8')) as Record<string, unknown>;
    const [readme] = globSync('[Rr][Ee][Aa][Dd][Mm][Ee]*', { cwd: join(folder, dirname(path)) });
    if (readme === undefined || !Array.isArray(keywords)) continue;
    const text = readFileSync(join(folder, dirname(path), readme), 'utf8').slice(0, 2_500);
    const tags = keywords.map((word) => foldTag(String(word)).trim()).filter((word) => /^[^,]{1,100}$/.test(word));
    if (tags.length > 0) yield { id: String(name), title: String(name), text, tags: tags.slice(0, 50) };
  }
}

async function* collection(folder: string): AsyncGenerator<Tagged> {
  const { documents, judgements } = await readCollection(folder);
  for (const document of documents) {
    const answered = [...judgements].filter(([, grades]) => (grades.get(document.id) ?? 0) > 0);
    yield { ...document, tags: answered.map(([query]) => `question ${query}`) };
  }
}

interface Proposed {
  own: ReadonlySet<string>;
  proposed: readonly string[];
}

function report(
  name: string,
  items: readonly Proposed[],
  mayBe: (tag: string, own: ReadonlySet<string>) => boolean,
): void {
  const cells = [1, 3].flatMap((most) => {
    const shown = items.map(({ own, proposed }) => ({
      own,
      proposed: proposed.filter((tag) => mayBe(tag, own)).slice(0, most),
    }));
    const all = shown.flatMap(({ own, proposed }) => proposed.map((tag) => own.has(tag)));
    const wanted = items.flatMap(({ own }) => [...own].filter((tag) => mayBe(tag, own))).length;
    const right = all.filter(Boolean).length;
    return [
      right / all.length,
      right / wanted,
      shown.filter(({ proposed }) => proposed.length > 0).length / items.length,
    ];
  });
  const [p1 = 0, r1 = 0, share = 0, p3 = 0, r3 = 0] = cells;
  const row = [share, p1, r1, p3, r3].map((value) => value.toFixed(3).padStart(8));
  process.stdout.write(`${name.padEnd(28)}${row.join('')}\n`);
}

async function measure(name: string, items: Iterable<Tagged> | AsyncIterable<Tagged>): Promise<void> {
  const cached = options.cache === undefined ? undefined : join(options.cache, name);
  const isFresh = cached === undefined || !existsSync(cached);
  const data = cached ?? mkdtempSync(join(tmpdir(), 'commonplace-tags-'));
  const app = await createApp(loadConfig({ data, logLevel: 'error' }, {}), { analyst: noAnalysis });
  const store = await app.stores.open('local');
  if (isFresh) {
    for await (const item of items) {
      const original = documentResource(item);
      const { url } = original;
      await store.saveContent({ url, canonicalUrl: url, tags: item.tags, notes: undefined, original });
    }
    await app.worker.runUntilEmpty();
  }
  const { items: counted, total } = await store.listTags({ limit: 10_000, offset: 0 });
  const uses = new Map(counted.map(({ tag, count }) => [foldTag(tag), count]));
  const mayBe = (tag: string, own: ReadonlySet<string>) => (uses.get(tag) ?? 0) - Number(own.has(tag)) >= minTagged;
  const found: { votes: Proposed; words: Proposed; frequent: Proposed }[] = [];
  const times: number[] = [];
  for (let offset = 0; ; offset += 100) {
    const page = await store.listContent({ limit: 100, offset });
    if (page.items.length === 0) break;
    for (const { id, tags } of page.items) {
      const own = new Set(tags.map(foldTag));
      const began = process.cpuUsage();
      const like = await findLikeItems(store, id, app.embedder?.id ?? null);
      const { user, system } = process.cpuUsage(began);
      times.push((user + system) / 1_000);
      const voted = (among: typeof like): Proposed => ({
        own,
        proposed: voteForTags(among).map(({ tag }) => foldTag(tag)),
      });
      found.push({
        votes: voted(like),
        words: voted(like.map((one) => ({ ...one, meaning: 0 }))),
        frequent: { own, proposed: [...uses.keys()].slice(0, 3) },
      });
    }
  }
  await app.close();
  if (cached === undefined) rmSync(data, { recursive: true });
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  const usable = [...uses.values()].filter((count) => count > minTagged).length;
  process.stdout.write(
    `\n${name}: ${found.length} items, ${usable} of ${total} tags can be proposed; processor ms an item: ${at(0.5)} (p50), ${at(0.99)} (p99)\n`,
  );
  process.stdout.write(`${' '.repeat(28)}   share     P@1     R@1     P@3     R@3\n`);
  report(
    'proposed',
    found.map(({ votes }) => votes),
    mayBe,
  );
  report(
    'by words alone',
    found.map(({ words }) => words),
    mayBe,
  );
  report(
    'most used tags',
    found.map(({ frequent }) => frequent),
    mayBe,
  );
}

if (options.appstream !== undefined) await measure('appstream', appstream(options.appstream));
if (options.packages !== undefined) await measure('packages', packages(options.packages));
for (const folder of positionals) await measure(basename(folder), collection(folder));
