/** A mail, and a page that a browser saved as one file (MHTML, RFC 2557). */
export type MessageType = 'message/rfc822' | 'multipart/related';

/** Characters at the beginning in which the header is looked for. Mail servers put theirs before the sender's. */
const maxHeaderLength = 65_536;
/** Old programs put spaces before the colon. */
const field = /^([!-9;-~]{1,100})[ \t]{0,9}:(.{0,200})/;
/** Fields of mails from before there were types of content. A text that happens to begin with one has no third. */
const mailFields =
  'from to cc subject date message-id sender reply-to received return-path in-reply-to references delivered-to'.split(
    ' ',
  );
const minMailFields = 3;
/** What files of mailboxes put before the header of each mail. */
const mailboxLine = /^From \S/;

/**
 * The type of a text that begins with the header of a message (RFC 5322, RFC 2045); null for other texts. One field
 * alone may begin any text.
 */
export function messageType(text: string): MessageType | null {
  const lines = text
    .slice(0, maxHeaderLength)
    .replace(/^\ufeff/, '')
    .split(/\r?\n/);
  // The last line may be cut off.
  if (text.length > maxHeaderLength) lines.pop();
  const fields = new Map<string, string>();
  for (const [i, line] of lines.entries()) {
    if (line === '') break;
    if (fields.size > 0 ? /^[ \t]/.test(line) : i === 0 && mailboxLine.test(line)) continue;
    const [, name, value = ''] = field.exec(line) ?? [];
    if (name === undefined) return null;
    fields.set(name.toLowerCase(), value.trim());
  }
  const isMessage = fields.has('mime-version')
    ? ['content-type', 'from', 'subject', 'date'].some((name) => fields.has(name))
    : fields.has('from') && (fields.has('content-type') || isOldMail(fields));
  if (!isMessage) return null;
  // A saved page has no sender, or names the browser as its sender.
  const sender = fields.get('from');
  const isPage =
    sender === undefined
      ? /^(?:multipart\/related|text\/html)/i.test(fields.get('content-type') ?? '')
      : /^["<]?saved by/i.test(sender);
  return isPage ? 'multipart/related' : 'message/rfc822';
}

/** Whether the fields are those of a mail without types of content: several of them, and its sender has an address. */
function isOldMail(fields: ReadonlyMap<string, string>): boolean {
  const count = mailFields.filter((name) => fields.has(name)).length;
  return count >= minMailFields && fields.get('from')?.includes('@') === true;
}
