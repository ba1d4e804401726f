import { posix } from 'node:path';
import type { Warning } from '../../domain/records/content.ts';
import type { Block, Document } from '../../domain/records/texts/document.ts';
import { ProcessingError } from '../../errors.ts';
import { languageOfBlocks, languageTag } from '../language/language.ts';
import { markdownBlocks } from '../text/markdown-blocks.ts';
import { lastFirst } from '../page/metadata/html-metadata.ts';
import { parsePublished } from '../page/metadata/published-date.ts';
import { fileName, textDocument, warningsOf } from '../text/read-text.ts';
import { chapterMarkdown } from './chapter-markdown.ts';
import { maxCharacters } from '../host/reading-protocol.ts';
import type { FileTask } from '../source.ts';
import { xmlElements, type XmlElement } from './xml-elements.ts';
import { openZip, type ZipArchive } from './zip-archive.ts';

/** Names of entries without text. Chapters have all sorts of names. */
const notText =
  /\.(?:jpe?g|png|gif|webp|svgz?|bmp|tiff?|avif|[ot]tf|woff2?|eot|css|js|mp[34]|m4[abv]|og[gva]|wav|aac|webm|smil|pls|pdf)$/i;
/** Algorithms that only obfuscate fonts. They do not lock the text. */
const fontAlgorithms = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/i;

/**
 * Reads an e-book (EPUB 2 and 3): its chapters in the order of the spine. Chapters without a heading get their title
 * from the table of contents.
 * @throws {ProcessingError} `drm_protected`, `too_large` or `extraction_failed`
 */
export async function readEbook(bytes: Uint8Array, task: FileTask): Promise<Document> {
  const archive = openZip(bytes, (name) => !notText.test(name));
  task.progress(0);
  refuseLocked(archive);
  const packagePath = xmlElements(archive.text('META-INF/container.xml') ?? '', new Set(['rootfile'])).find(
    ({ attributes }) => attributes['full-path'] !== undefined,
  )?.attributes['full-path'];
  const opf = packagePath === undefined ? null : archive.text(packagePath);
  if (packagePath === undefined || opf === null) throw broken();
  const book = readPackage(opf, packagePath);
  const titles = chapterTitles(archive, book);

  const blocks: Block[] = [];
  let characters = 0;
  let done = 0;
  const notes = { names: new Map<string, string>(), written: [] };
  const lost: LostChapters = { damaged: [], missing: [] };
  for (const [i, path] of book.spine.entries()) {
    const html = path === null ? null : archive.text(path);
    if (html === null) (path !== null && archive.has(path) ? lost.damaged : lost.missing).push(i + 1);
    else {
      const chapter = markdownBlocks(
        chapterMarkdown(html, {
          book: { ...notes, locate: (href) => (href === '' ? path : within(path ?? '', href)) },
        }),
      );
      const title = titles.get(path ?? '');
      if (title !== undefined && chapter.length > 0 && chapter.slice(0, 3).every(({ kind }) => kind !== 'heading'))
        blocks.push({ kind: 'heading', level: 1, text: `# ${title}` });
      for (const block of chapter) blocks.push(block);
      characters += html.length;
      if (characters > maxCharacters * 3)
        throw new ProcessingError('too_large', 'This e-book is too long. Save it in smaller parts.');
    }
    done += 1;
    task.progress(done);
  }
  if (blocks.length === 0 && lost.damaged.length > 0) throw broken('its chapters cannot be unpacked');
  return textDocument(blocks, {
    contentType: 'ebook',
    title: book.title ?? fileName(task.url),
    author: book.author,
    siteName: book.publisher,
    // `parsePublished` takes the first days of 1900 and 1970 for no date.
    publishedAt: /^(?:1[5-9]|20)\d\d$/.test(book.date ?? '')
      ? `${book.date}-01-01T00:00:00.000Z`
      : parsePublished(book.date),
    language: (await languageOfBlocks(blocks)) ?? book.language,
    warnings: lossesIn(lost, book.spine.length),
  });
}

/** Numbers of chapters, in the order of the spine. */
interface LostChapters {
  damaged: number[];
  missing: number[];
}

function lossesIn({ damaged, missing }: LostChapters, count: number): Warning[] {
  const listed = (numbers: readonly number[]): string =>
    numbers.slice(0, maxListed).join(', ') +
    (numbers.length > maxListed ? ` and ${numbers.length - maxListed} more` : '');
  const parts = [
    ...(damaged.length > 0 ? [`damaged: ${listed(damaged)}`] : []),
    ...(missing.length > 0 ? [`not in the file: ${listed(missing)}`] : []),
  ];
  const message = `${damaged.length + missing.length} of ${count} chapters of this e-book could not be read (${parts.join('; ')}). Download it again to keep them.`;
  return warningsOf([parts.length > 0, 'chapters_missing', message]);
}
const maxListed = 10;

function readPackage(opf: string, path: string) {
  const names = new Set(['title', 'creator', 'publisher', 'date', 'language', 'item', 'itemref', 'spine', 'meta']);
  const elements = xmlElements(opf, names);
  const all = (name: string): XmlElement[] => elements.filter((one) => one.name === name && one.text !== '');
  const first = (name: string): string | null => all(name)[0]?.text ?? null;
  /** Refinements of an element in separate `meta` elements (EPUB 3). */
  const refined = new Map(
    all('meta').map(({ attributes, text }) => [`${attributes['refines'] ?? ''} ${attributes['property'] ?? ''}`, text]),
  );
  const refinement = ({ attributes }: XmlElement, property: string): string | undefined =>
    attributes['id'] === undefined ? undefined : refined.get(`#${attributes['id']} ${property}`);
  const items = new Map(
    elements.filter(({ name }) => name === 'item').map(({ attributes }) => [attributes['id'] ?? '', attributes]),
  );
  const locate = (href: string | undefined): string | null => (href === undefined ? null : within(path, href));
  const refs = elements.filter(({ name }) => name === 'itemref');
  // Notes that are not part of the linear order come at the end.
  const isAside = ({ attributes }: XmlElement): boolean => attributes['linear'] === 'no';
  const spine = [...refs.filter((ref) => !isAside(ref)), ...refs.filter(isAside)].flatMap(({ attributes }) => {
    const item = items.get(attributes['idref'] ?? '');
    // A page that is a picture has no text.
    return /^(?:image|audio|video)\//.test(item?.['media-type'] ?? '') ? [] : [locate(item?.['href'])];
  });
  const nav = [...items.values()].find(({ properties }) => properties?.split(' ').includes('nav'));
  const ncx =
    items.get(elements.find(({ name }) => name === 'spine')?.attributes['toc'] ?? '') ??
    [...items.values()].find((item) => item['media-type'] === 'application/x-dtbncx+xml');
  const creators = all('creator').map((one) => ({
    name: one.text,
    role: (one.attributes['role'] ?? refinement(one, 'role') ?? 'aut').toLowerCase(),
  }));
  // Translators and illustrators are named as creators, too.
  const byRole = (roles: RegExp) => creators.filter(({ role }) => roles.test(role));
  const authors = [byRole(/^(?:aut|author|)$/), byRole(/^(?:edt|com|cre)$/), creators].find(({ length }) => length > 0);
  const title = all('title').find((one) => refinement(one, 'title-type') === 'main');
  const dates = all('date').filter(({ attributes }) => !/modif|creation|conversion/i.test(attributes['event'] ?? ''));
  const published = dates.find(({ attributes }) => /publication/i.test(attributes['event'] ?? '')) ?? dates[0];
  return {
    title: title?.text ?? all('title').find((one) => refinement(one, 'title-type') !== 'subtitle')?.text ?? null,
    author:
      authors
        ?.slice(0, 5)
        .map(({ name }) => name.replace(lastFirst, '$2 $1'))
        .join(', ') ?? null,
    publisher: first('publisher'),
    date: published?.text ?? null,
    language: languageTag(first('language')),
    /** Paths of the chapters, in order; null for one that the list of files does not name. */
    spine: spine.filter((one, i) => one === null || spine.indexOf(one) === i),
    contents: locate((nav ?? ncx)?.['href']),
  };
}

/** Maps files to their titles in the table of contents. The first title of each file is used. */
function chapterTitles(archive: ZipArchive, { contents }: { contents: string | null }): Map<string, string> {
  const titles = new Map<string, string>();
  const text = contents === null ? null : archive.text(contents);
  if (text === null || contents === null) return titles;
  let label = '';
  for (const { name, attributes, text: title } of xmlElements(text, new Set(['a', 'navlabel', 'content']))) {
    if (name === 'navlabel') label = title;
    const [target, words] = name === 'a' ? [attributes['href'], title] : [attributes['src'], label];
    if (name === 'navlabel' || target === undefined || words === '') continue;
    const path = within(contents, target);
    if (path !== null && !titles.has(path)) titles.set(path, words);
  }
  return titles;
}

function within(from: string, href: string): string | null {
  try {
    return posix.normalize(posix.join(posix.dirname(from), decodeURIComponent(href.split('#', 1)[0] ?? '')));
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function refuseLocked(archive: ZipArchive): void {
  const encryption = archive.text('META-INF/encryption.xml');
  const methods = encryption === null ? [] : xmlElements(encryption, new Set(['encryptionmethod']));
  const isLocked = methods.some(({ attributes }) => !fontAlgorithms.test(attributes['algorithm'] ?? ''));
  if (!isLocked && !archive.names.includes('META-INF/rights.xml')) return;
  throw new ProcessingError(
    'drm_protected',
    'This e-book is protected against copying (DRM), and only its own reader can open it. Save a version without protection, or passages of it as text.',
  );
}

function broken(fault = 'its list of contents is missing'): ProcessingError {
  return new ProcessingError('extraction_failed', `This e-book is damaged: ${fault}. Download it again.`);
}
