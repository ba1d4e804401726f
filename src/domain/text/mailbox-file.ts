/*
 * Files of mailboxes (mbox, RFC 4155): before the header of each mail stands a line `From sender day time year`, which is no field.
 * Whatever writes them puts a sign before each line of a mail that begins like that. Some leave out the empty line before it.
 */

/** Characters in which a start is told: the line, and the name of the field below it. */
export const maxMailStart = 500;
const startLine = /^From (\S[^\r\n]{9,299})\r?\n(?:\r?\n|[!-9;-~]{1,100}[ \t]{0,9}:|$)/;

/** Whether a mail of a mailbox begins here. A line that says when in other words, or that no field follows, is text. */
export function isMailStart(text: string): boolean {
  const line = startLine.exec(text.slice(0, maxMailStart))?.[1] ?? '';
  return /\d\d:\d\d/.test(line) && /\b\d{4}\b/.test(line);
}

/** Where the next mail begins in the bytes, which may be a part of a mailbox; -1 for nowhere. */
export function nextMailStart(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf('\nFrom ', from); at !== -1; at = bytes.indexOf('\nFrom ', at + 1))
    if (isMailStart(bytes.toString('latin1', at + 1, at + 1 + maxMailStart))) return at + 1;
  return -1;
}

/** The mail itself of one in a mailbox: without its first line, and without the signs before lines that look like one. */
export function mailOfMailbox(bytes: Buffer): Uint8Array {
  const mail = bytes.subarray(bytes.indexOf('\n') + 1);
  if (!mail.includes('>From ')) return new Uint8Array(mail);
  const text = mail.toString('latin1').replaceAll(/^>(>{0,50}From )/gm, '$1');
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
