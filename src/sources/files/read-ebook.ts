import { posix } from 'node:path';
import type { Block, Document } from '../../domain/records/document.ts';
import { ProcessingError } from '../../errors.ts';
import { languageOfBlocks, languageTag } from '../language/language.ts';
import { markdownBlocks } from '../text/markdown-blocks.ts';
import { parsePublished } from '../page/metadata/published-date.ts';
import { fileName, textDocument } from '../text/read-plain-text.ts';
import { chapterMarkdown } from './chapter-markdown.ts';
import { maxCharacters } from '../host/reading-protocol.ts';
import type { FileTask } from './file-task.ts';
import { xmlElements } from './xml-elements.ts';
import { openZip, type ZipArchive } from './zip-archive.ts';

const textual = /\.(?:x?html?|xml|opf|ncx)$/i;
/** Algorithms that only obfuscate fonts. They do not lock the text. */
const fontAlgorithms = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/i;

/**
 * Reads an e-book (EPUB 2 and 3): its chapters in the order of the spine. Chapters without a heading get their title
 * from the table of contents.
 * @throws {ProcessingError} `drm_protected`, `too_large` or `extraction_failed`
 */
export async function readEbook(bytes: Uint8Array, task: FileTask): Promise<Document> {
  const archive = openZip(bytes, (name) => textual.test(name));
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
  for (const path of book.spine) {
    const html = archive.text(path);
    if (html !== null) {
      const chapter = markdownBlocks(chapterMarkdown(html));
      const title = titles.get(path);
      if (title !== undefined && chapter.length > 0 && chapter.slice(0, 3).every(({ kind }) => kind !== 'heading')) {
        blocks.push({ kind: 'heading', level: 1, text: `# ${title}` });
      }
      for (const block of chapter) blocks.push(block);
      characters += html.length;
      if (characters > maxCharacters * 3)
        throw new ProcessingError('too_large', 'This e-book is too long. Save it in smaller parts.');
    }
    done += 1;
    task.progress(done);
  }
  return textDocument(blocks, {
    contentType: 'ebook',
    title: book.title ?? fileName(task.url),
    author: book.author,
    siteName: book.publisher,
    publishedAt:
      parsePublished(book.date) ?? parsePublished(/^\d{4}$/.test(book.date ?? '') ? `${book.date}-01-01` : null),
    language: (await languageOfBlocks(blocks)) ?? book.language,
  });
}

interface EbookFacts {
  title: string | null;
  author: string | null;
  publisher: string | null;
  date: string | null;
  language: string | null;
  /** Paths of the chapters, in order. */
  spine: string[];
  /** Path of the table of contents. */
  contents: string | null;
}

function readPackage(opf: string, path: string): EbookFacts {
  const names = new Set(['title', 'creator', 'publisher', 'date', 'language', 'item', 'itemref', 'spine']);
  const elements = xmlElements(opf, names);
  const first = (name: string): string | null =>
    elements.find((one) => one.name === name && one.text !== '')?.text ?? null;
  const items = new Map(
    elements.filter(({ name }) => name === 'item').map(({ attributes }) => [attributes['id'] ?? '', attributes]),
  );
  const locate = (href: string | undefined): string | null => (href === undefined ? null : within(path, href));
  const spine = elements
    .filter(({ name, attributes }) => name === 'itemref' && attributes['linear'] !== 'no')
    .map(({ attributes }) => locate(items.get(attributes['idref'] ?? '')?.['href']))
    .filter((one) => one !== null);
  const nav = [...items.values()].find(({ properties }) => properties?.split(' ').includes('nav'));
  const ncx =
    items.get(elements.find(({ name }) => name === 'spine')?.attributes['toc'] ?? '') ??
    [...items.values()].find((item) => item['media-type'] === 'application/x-dtbncx+xml');
  const authors = elements.filter(({ name, text }) => name === 'creator' && text !== '').map(({ text }) => text);
  return {
    title: first('title'),
    author: authors.slice(0, 5).join(', ') || null,
    publisher: first('publisher'),
    date: first('date'),
    language: languageTag(first('language')),
    spine: [...new Set(spine)],
    contents: locate((nav ?? ncx)?.['href']),
  };
}

/** Maps files to their titles in the table of contents. The first title of each file is used. */
function chapterTitles(archive: ZipArchive, { contents }: EbookFacts): Map<string, string> {
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

/** Resolves an address in one of the archive's files to a path in the archive. */
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

function broken(): ProcessingError {
  return new ProcessingError(
    'extraction_failed',
    'This e-book is damaged: its list of contents is missing. Download it again.',
  );
}
