import type { Document } from '../../domain/records/document.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import { ProcessingError } from '../../errors.ts';
import { languageOfBlocks, languageTag } from '../language/language.ts';
import { markdownBlocks } from '../text/markdown-blocks.ts';
import { parsePublished } from '../page/metadata/published-date.ts';
import { fileName, textDocument } from '../text/read-plain-text.ts';
import { properAuthor, properTitle } from '../pdf/pdf-metadata.ts';
import { chapterMarkdown } from './chapter-markdown.ts';
import type { FileTask } from './file-task.ts';
import { xmlElements } from './xml-elements.ts';
import { checkZip, openZip } from './zip-archive.ts';

/**
 * Reads a Word document (DOCX) with mammoth: headings, lists, tables, links and footnotes, but no pictures.
 * @throws {ProcessingError} `too_large` or `extraction_failed`
 */
export async function readDocx(bytes: Uint8Array, task: FileTask): Promise<Document> {
  checkZip(bytes);
  const properties = openZip(bytes, (name) => name === 'docProps/core.xml').text('docProps/core.xml') ?? '';
  const facts = xmlElements(properties, new Set(['title', 'creator', 'created', 'language']));
  const fact = (name: string): string | null => facts.find((one) => one.name === name && one.text !== '')?.text ?? null;

  const { default: mammoth } = await import('mammoth');
  task.progress(0);
  const { value: html } = await mammoth
    .convertToHtml(
      { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
      {
        styleMap: [
          "p[style-name='Title'] => h1:fresh",
          "p[style-name='Subtitle'] => h2:fresh",
          "p[style-name='Quote'] => blockquote:fresh",
        ],
        // Otherwise mammoth embeds pictures as data URLs in the text.
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
        externalFileAccess: false,
      },
    )
    .catch((cause: unknown) => {
      throw new ProcessingError(
        'extraction_failed',
        'This Word document is damaged and cannot be read. Open it in Word and save it again.',
        { cause },
      );
    });
  task.progress(1);
  const blocks = markdownBlocks(chapterMarkdown(html));
  const heading = blocks.find(({ level }) => level === 1) ?? blocks.find(({ kind }) => kind === 'heading');
  return textDocument(blocks, {
    contentType: 'document',
    title: properTitle(fact('title')) ?? (heading === undefined ? null : plainText(heading.text)) ?? fileName(task.url),
    author: properAuthor(fact('creator')),
    publishedAt: parsePublished(fact('created')),
    language: (await languageOfBlocks(blocks)) ?? languageTag(fact('language')),
  });
}
