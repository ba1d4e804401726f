import type { Attachment, Email } from 'postal-mime';
import { countWords, type Block, type Document } from '../../domain/records/document.ts';
import type { Warning } from '../../domain/records/content.ts';
import { languageOfBlocks } from '../language/language.ts';
import { parsePublished } from '../page/metadata/published-date.ts';
import { markdownBlocks } from '../text/markdown-blocks.ts';
import { fileName, readPlainText, textDocument } from '../text/read-plain-text.ts';
import { chapterMarkdown } from './chapter-markdown.ts';
import type { FileTask } from './file-task.ts';
import { parseMessage } from './mime-message.ts';

/**
 * Reads a mail: all of its text, with what it quotes. Files that are attached to it are not read.
 * @throws {ProcessingError} as `parseMessage`
 */
export async function readMail(bytes: Uint8Array, task: FileTask): Promise<Document> {
  const mail = await parseMessage(bytes);
  task.progress(0);
  const written = (await readPlainText(mail.text ?? '', task.url)).blocks;
  const laidOut = markdownBlocks(chapterMarkdown(mail.html ?? ''));
  task.progress(1);
  const isLaidOut = laidOut.length > 0 && wordsOf(laidOut) >= wordsOf(written) * minShare;
  const blocks = isLaidOut ? laidOut : written;
  return textDocument(blocks, {
    contentType: 'document',
    title: mail.subject || fileName(task.url),
    author: mail.from?.name || (mail.from?.address ?? null),
    publishedAt: parsePublished(mail.date ?? null),
    language: await languageOfBlocks(blocks),
    warnings: attachmentWarnings(mail),
  });
}

/**
 * A mail may have its text twice: as HTML, and plain. The HTML has headings, lists and links, so it is taken, but not
 * with less than this share of the words: it may be one picture.
 */
const minShare = 0.8;

/** Addresses do not count: plain text spells them out. */
function wordsOf(blocks: readonly Block[]): number {
  return countWords(blocks.map(({ text }) => text.replaceAll(/https?:\S+/g, '')).join('\n'));
}

function attachmentWarnings({ attachments }: Email): Warning[] {
  const count = attachments.filter(({ filename, ...one }) => filename !== null && !isPictureOfText(one)).length;
  if (count === 0) return [];
  const files =
    count === 1 ? 'A file is attached to this mail. It was' : `${count} files are attached to this mail. They were`;
  return [
    { code: 'attachments_not_read', message: `${files} not read. Save an attached file by itself to keep its text.` },
  ];
}

/** Whether it is shown inside the text, as a logo is. */
function isPictureOfText({ related, disposition, mimeType }: Omit<Attachment, 'filename'>): boolean {
  return related === true || (disposition === 'inline' && mimeType.startsWith('image/'));
}
