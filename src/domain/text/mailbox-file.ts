/*
 * Mailbox files (mbox, RFC 4155): each mail is preceded by a line `From sender day time year`, which is not a header
 * field. Writers put `>` before each line of a mail that begins like that. Some leave out the empty line before it.
 */

/** Characters examined to recognise a start: the line, and the name of the field below it. Old relays put lines `>From …` between them. */
export const maxMailStart = 1_000;
const maxLine = 310;
const field = /^(?:>From [^\n]{0,300}\n){0,9}[!-9;-~]{1,100}[ \t]{0,9}:(?!\/\/)/;

/** Whether a text begins as a mailbox does. */
export function isMailStart(text: string, isSurelyMail: boolean): boolean {
  const end = text.slice(0, maxLine).indexOf('\n');
  if (!text.startsWith('From ') || !saysWhen(text.slice(0, Math.max(0, end)), true)) return false;
  return isSurelyMail || field.test(text.slice(end + 1, maxMailStart));
}

/** Text beside an address in a line without a time. */
const byDay = /^From [^\s@]{0,300}@\S{0,300}[^\s,:;]\s{1,9}(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/;
const bySender = /^From (?:-|MAILER-DAEMON|[^\s@]{0,300}@\S{0,300}[^\s,:;])\s/;

/** Whether a line says who and when. Behind an empty line, the day is enough beside an address. */
function saysWhen(line: string, isFirst: boolean): boolean {
  if (!/^From \S.{9}/.test(line) || !/\b\d{4}\b/.test(line)) return false;
  return /\d\d:\d\d/.test(line) || (isFirst && byDay.test(line));
}

/** Where the next mail begins in the bytes, which may be a part of a mailbox; -1 for nowhere. */
export function nextMailStart(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf('\nFrom ', from); at !== -1; at = bytes.indexOf('\nFrom ', at + 1)) {
    const end = bytes.indexOf(0x0a, at + 1);
    if (end === -1) return -1;
    if (end - at > maxLine) continue;
    const line = bytes.toString('latin1', at + 1, end);
    const isFirst = bytes[at - 1] === 0x0a || (bytes[at - 1] === 0x0d && bytes[at - 2] === 0x0a);
    if (!saysWhen(line, isFirst)) continue;
    const below = bytes.toString('latin1', end + 1, at + 1 + maxMailStart);
    const mayLackFields = isFirst && bySender.test(line);
    if (field.test(below) || (mayLackFields && /^(?:\r?\n|$)/.test(below))) return at + 1;
  }
  return -1;
}

const quotedStart = new TextEncoder().encode('>From ');

/** One mail of a mailbox: without its first line, relay lines, the `>` of quoted starts, and the line breaks after it. */
export function mailOfMailbox(bytes: Buffer): Uint8Array {
  let end = bytes.length;
  while (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d) end -= 1;
  let start = bytes.indexOf('\n') + 1;
  while (bytes.subarray(start, start + quotedStart.length).equals(quotedStart) && bytes.includes(0x0a, start))
    start = bytes.indexOf(0x0a, start) + 1;
  const mail = bytes.subarray(start, Math.max(start, end));
  const plain = new Uint8Array(mail.length);
  let [length, from] = [0, 0];
  const takeUpTo = (at: number): void => {
    plain.set(mail.subarray(from, at), length);
    length += at - from;
  };
  for (let at = mail.indexOf(quotedStart); at !== -1; at = mail.indexOf(quotedStart, at + 1)) {
    let sign = at;
    while (mail[sign - 1] === 0x3e) sign -= 1;
    if (sign > 0 && mail[sign - 1] !== 0x0a) continue;
    takeUpTo(sign);
    from = sign + 1;
  }
  takeUpTo(mail.length);
  return length === mail.length ? plain : plain.slice(0, length);
}
