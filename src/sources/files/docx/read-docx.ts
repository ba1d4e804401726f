import { posix } from 'node:path';
import type { Block, Document } from '../../../domain/records/texts/document.ts';
import type { Warning } from '../../../domain/records/content.ts';
import { ProcessingError } from '../../../errors.ts';
import { languageOfBlocks, languageTag } from '../../language/language.ts';
import { markdownBlocks } from '../../text/markdown-blocks.ts';
import { parsePublished } from '../../page/metadata/published-date.ts';
import { fileName, firstHeading, textDocument, warningsOf } from '../../text/read-text.ts';
import { properAuthor, properTitle } from '../../pdf/pdf-metadata.ts';
import { markupMarkdown } from '../chapter-markdown.ts';
import type { FileTask } from '../../source.ts';
import { xmlElements } from '../xml-elements.ts';
import { openZip, type ZipArchive } from '../zip-archive.ts';
import { htmlPieces, numberNotes, type OfficeBlock } from './document-html.ts';
import { hiddenStyles, readFormats } from './numbering.ts';
import { readBody, type BodyContext, type NoteKind, type OfficeText } from './read-body.ts';

/**
 * Reads a Word document (DOCX): its text as Word counts and shows it, with formulas, notes and comments, but no
 * pictures. A warning names the parts with text that are not read.
 * @throws {ProcessingError} `too_large` or `extraction_failed`
 */
export async function readDocx(bytes: Uint8Array, task: FileTask): Promise<Document> {
  const archive = openZip(bytes, (name) => /\.(?:xml|rels)$/i.test(name));
  let steps = 0;
  const progress = (): void => task.progress((steps += 1));
  progress();
  const main =
    [...relationsOf(archive, '').values()].find(({ type }) => type.endsWith('/officeDocument'))?.target ??
    'word/document.xml';
  const xml = archive.text(main);
  if (xml === null || !/<(?:\w+:)?document[\s>]/.test(xml)) throw damaged();
  const { texts, pieces, read } = readParts(archive, main, xml, progress);
  const blocks: Block[] = [];
  for (const html of pieces) {
    for (const block of markdownBlocks(markupMarkdown(html))) blocks.push(block);
    progress();
  }
  const facts = xmlElements(
    archive.text('docProps/core.xml') ?? '',
    new Set(['title', 'creator', 'created', 'language']),
  );
  const fact = (name: string): string | null => facts.find((one) => one.name === name && one.text !== '')?.text ?? null;
  return textDocument(blocks, {
    contentType: 'document',
    title: properTitle(fact('title')) ?? firstHeading(blocks) ?? fileName(task.url),
    author: properAuthor(fact('creator')),
    publishedAt: parsePublished(fact('created')),
    language: (await languageOfBlocks(blocks)) ?? languageTag(fact('language')),
    warnings: [...lossesIn(texts, archive.damaged), ...unreadParts(archive, read)],
  });
}

function damaged(): ProcessingError {
  return new ProcessingError(
    'extraction_failed',
    'This Word document is damaged and cannot be read. Open it in Word and save it again.',
  );
}

interface Relation {
  type: string;
  target: string;
  isExternal: boolean;
}

/** The targets of a part's relationships, by id. Targets inside the archive are paths in it. */
function relationsOf(archive: ZipArchive, part: string): Map<string, Relation> {
  const folder = posix.dirname(part);
  const path = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const relations = new Map<string, Relation>();
  for (const { attributes } of xmlElements(archive.text(path) ?? '', new Set(['relationship']))) {
    const { id = '', type = '', target = '', targetmode } = attributes;
    const isExternal = targetmode === 'External';
    const inside = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
    relations.set(id, { type, target: isExternal ? target : inside, isExternal });
  }
  return relations;
}

/** Reads the body of a document, and its notes in the order in which the body names them, as pieces of HTML. */
function readParts(
  archive: ZipArchive,
  main: string,
  xml: string,
  progress: () => void,
): { texts: OfficeText[]; pieces: string[]; read: Set<string> } {
  const relations = relationsOf(archive, main);
  const pathOf = (kind: string): string | null =>
    [...relations.values()].find(({ type }) => type.endsWith(`/${kind}`))?.target ?? null;
  const partOf = (kind: string): string => archive.text(pathOf(kind) ?? `${posix.dirname(main)}/${kind}.xml`) ?? '';
  const styles = partOf('styles');
  const read = new Set([main]);
  const marks = new Map<string, string>();
  const markOf = (kind: NoteKind, id: string): string => {
    const mark = marks.get(`${kind} ${id}`) ?? `${kind.charAt(0)}${marks.size}`;
    marks.set(`${kind} ${id}`, mark);
    return mark;
  };
  const shared = { hiddenStyles: hiddenStyles(styles), markOf, progress };
  const contextOf = (part: string, numbering: string): BodyContext => {
    const own = relationsOf(archive, part);
    return {
      ...shared,
      formatOf: readFormats(styles, numbering),
      links: new Map([...own].filter(([, { isExternal }]) => isExternal).map(([id, { target }]) => [id, target])),
      diagram(id) {
        const path = own.get(id)?.target ?? '';
        read.add(path);
        return xmlElements(archive.text(path) ?? '', new Set(['pt']))
          .map(({ text }) => text)
          .filter((text) => text !== '');
      },
    };
  };
  const body = readBody(xml, contextOf(main, partOf('numbering')));
  const texts = [body];
  const notes = new Map<string, OfficeBlock[]>();
  for (const kind of ['footnote', 'endnote', 'comment'] as const) {
    const path = pathOf(`${kind}s`) ?? `${posix.dirname(main)}/${kind}s.xml`;
    const text = readBody(archive.text(path) ?? '', contextOf(path, ''));
    texts.push(text);
    read.add(path);
    for (const { id, blocks, author } of text.notes) {
      const mark = marks.get(`${kind} ${id}`);
      if (mark !== undefined && blocks.length > 0)
        notes.set(mark, kind === 'comment' ? signed(blocks, author) : blocks);
    }
  }
  return { texts, pieces: numberNotes(htmlPieces(body.blocks), notes), read };
}

function signed([first, ...rest]: OfficeBlock[], author: string): OfficeBlock[] {
  if (first === undefined || author === '') return first === undefined ? [] : [first, ...rest];
  const name = author.replaceAll(/[<>&"]/g, '');
  return 'html' in first ? [{ ...first, html: `${name}: ${first.html}` }, ...rest] : [first, ...rest];
}

function lossesIn(texts: readonly OfficeText[], damagedParts: readonly string[]): Warning[] {
  const hidden = texts.reduce((sum, text) => sum + text.hidden, 0);
  return warningsOf(
    [
      texts.some(({ isWhole }) => !isWhole),
      'damaged',
      'The elements of this document are nested too deeply. What comes before them was read; the rest was left out.',
    ],
    [
      damagedParts.length > 0,
      'damaged',
      `Damaged, so not read: ${damagedParts.slice(0, maxListed).join(', ')}. Download or save this document again to keep them.`,
    ],
    [hidden > 0, 'hidden_text', `${hidden} characters of hidden text, which Word does not show, were left out.`],
  );
}

const maxListed = 10;

/** Parts of a document that may have text; the name of each. */
const otherParts: readonly [RegExp, string][] = [
  [/\/(?:header|footer)\d*\.xml$/i, 'headers and footers'],
  [/\/charts\/chart\d*\.xml$/i, 'charts'],
  [/\/diagrams\/data\d*\.xml$/i, 'diagrams'],
  [/\/afchunk|\/embeddings\//i, 'embedded files'],
];
/** A header or footer with fewer words repeats the title, or counts the pages. */
const minWords = 8;

function unreadParts(archive: ZipArchive, read: ReadonlySet<string>): Warning[] {
  const found = otherParts.flatMap(([pattern, name]) => {
    const parts = archive.names.filter((part) => pattern.test(part) && !read.has(part));
    const words = parts.reduce((sum, part) => sum + wordsIn(archive.text(part) ?? ''), 0);
    if (name === 'embedded files') return parts.length === 0 ? [] : [`${name} (${parts.length})`];
    return words < minWords ? [] : [`${name} (${words} words)`];
  });
  if (found.length === 0) return [];
  const message = `Not read in this document: ${found.join(', ')}. Save them as a separate file, or the document as a PDF, to keep their text.`;
  return [{ code: 'parts_not_read', message }];
}

function wordsIn(xml: string): number {
  return xmlElements(xml, new Set(['t', 'v'])).reduce(
    (sum, { text }) => sum + (text.match(/\p{L}+/gu)?.length ?? 0),
    0,
  );
}
