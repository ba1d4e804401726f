import type { Attachment, Email } from 'postal-mime';
import { countWords, type Block, type Document } from '../../domain/records/texts/document.ts';
import type { Warning } from '../../domain/records/content.ts';
import { isWebVersionText } from '../../domain/links/web-version.ts';
import { languageOfBlocks } from '../language/language.ts';
import { parsePublished } from '../page/metadata/published-date.ts';
import { markdownBlocks } from '../text/markdown-blocks.ts';
import { fileName, readPlainText, textDocument } from '../text/read-text.ts';
import { chapterMarkdown } from './chapter-markdown.ts';
import type { FileTask } from '../source.ts';
import { firstOfMailbox, headerValue, parseMessage } from './mime-message.ts';

/**
 * Reads a mail with its quotations. Attachments and the other mails of a mailbox are not read; warnings count them.
 * @throws {ProcessingError} as `parseMessage`
 */
export async function readMail(bytes: Uint8Array, task: FileTask): Promise<Document> {
  const { message, count } = firstOfMailbox(bytes);
  const { email: mail } = await parseMessage(message);
  task.progress(0);
  const written = (await readPlainText(mail.text ?? '', task.url)).blocks;
  const laidOut = markdownBlocks(chapterMarkdown(mail.html ?? ''));
  task.progress(1);
  const isLaidOut = laidOut.length > 0 && wordsOf(laidOut) >= wordsOf(written) * minShare;
  const isNewsletter = ['list-unsubscribe', 'list-id'].some((name) => headerValue(mail, name) !== null);
  const whole = isLaidOut ? laidOut : written;
  // Where its own address is not the item's, the link to it stays in the text.
  const blocks =
    isNewsletter && /^https?:/.test(task.url) ? whole.filter(({ text }) => !isWebVersionLink(text)) : whole;
  const sender = mail.from?.name || (mail.from?.address ?? null);
  return textDocument(blocks, {
    contentType: 'document',
    title: mail.subject || fileName(task.url),
    author: sender,
    // Whoever sends it to many is its site.
    siteName: isNewsletter ? sender : null,
    publishedAt: parsePublished(mail.date ?? null),
    language: await languageOfBlocks(blocks),
    warnings: [...mailboxWarnings(count), ...attachmentWarnings(mail)],
  });
}

function isWebVersionLink(text: string): boolean {
  const linked = /^\[([^\]]{1,150})\]\([^()\s]{1,2048}\)$/.exec(text)?.[1];
  return linked !== undefined && isWebVersionText(linked);
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

function mailboxWarnings(count: number): Warning[] {
  if (count === 1) return [];
  const message = `This file is a mailbox of ${count} mails. The first was read, and ${count - 1} ${count === 2 ? 'was' : 'were'} not. To make each mail an item, import the file: commonplace import <file>, or Import in the settings of the page.`;
  return [{ code: 'mails_not_read', message }];
}

function attachmentWarnings({ attachments }: Email): Warning[] {
  const count = attachments.filter((one) => !isPictureOfText(one) && (one.filename !== null || hasOwnText(one))).length;
  if (count === 0) return [];
  const files =
    count === 1 ? 'A file is attached to this mail. It was' : `${count} files are attached to this mail. They were`;
  return [
    { code: 'attachments_not_read', message: `${files} not read. Save an attached file by itself to keep its text.` },
  ];
}

/** Whether a part without a name says something: not a signature, nor a picture. */
function hasOwnText({ mimeType, content }: Attachment): boolean {
  const size = typeof content === 'string' ? content.length : content.byteLength;
  return size > 0 && !/signature|^image\/|^application\/pgp-keys/.test(mimeType);
}

/** Whether it is shown inside the text, as a logo is. */
function isPictureOfText({ related, disposition, mimeType }: Attachment): boolean {
  return related === true || (disposition === 'inline' && mimeType.startsWith('image/'));
}
