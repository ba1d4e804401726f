import { connect as connectPlainly, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { MailboxAddress } from '../../domain/links/mailbox-address.ts';
import { ProcessingError } from '../../errors.ts';
import type { MailboxEnd, MailboxTask } from './mailbox-protocol.ts';

/*
 * The part of IMAP (RFC 3501) that reads new letters of one folder: it opens the folder read-only (EXAMINE) and fetches without
 * a mark of having read (BODY.PEEK). All that a server sends is bounded: a line, a letter, and everything together.
 */

const silenceMs = 60_000;
const maxLine = 64 * 1024;
/** Of answers of one check beside its letters: a million letters are listed in fifty megabytes. */
const maxListed = 128 * 1024 ** 2;
/** Letters of one check, after the first. */
export const maxTogether = 32 * 1024 ** 2;
const maxNumber = 0xffff_ffff;

type ImapAddress = Extract<MailboxAddress, { kind: 'imap' }>;

const lost = (cause?: unknown) =>
  new ProcessingError('connection_failed', 'The connection to the mail server was lost. It is tried again later.', {
    retryable: true,
    cause,
  });
const strange = () =>
  new ProcessingError(
    'http_error',
    'The mail server sent what no mail server sends. Check the address in the setting `mailbox`.',
    { retryable: true },
  );

const refused = () =>
  new ProcessingError(
    'login_required',
    'The mail server refused the user or the password. Check the settings `mailbox` and `mailboxPassword`; many providers want an app password, which they make in their settings for security.',
  );

/** One answer of the server: its text without the literals that were in it. */
interface Answer {
  text: string;
  literal: Buffer | null;
}

class Connection {
  readonly #socket: Socket;
  readonly #received: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);
  #allowed = maxListed;
  #lastTag = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#received = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** @param maxBytes of a literal in the answer */
  async answer(maxBytes = 0): Promise<Answer> {
    let text = await this.#line();
    let literal: Buffer | null = null;
    for (let announced = literalAt(text); announced !== null; announced = literalAt(text)) {
      // A second one is no letter.
      if (announced.length > (literal === null ? maxBytes : 0)) throw strange();
      literal = await this.#bytes(announced.length);
      text = `${text.slice(0, announced.start)}""${await this.#line()}`;
      if (text.length > maxLine) throw strange();
    }
    return { text, literal };
  }

  /** Sends a command. Returns what the server says at its end: `OK`, `NO` or `BAD`. */
  async command(command: string, onAnswer: (answer: Answer) => void, maxBytes = 0): Promise<string> {
    this.#lastTag += 1;
    const tag = `c${this.#lastTag}`;
    this.#socket.write(`${tag} ${command}\r\n`);
    for (;;) {
      const answer = await this.answer(maxBytes);
      if (answer.text.startsWith(`${tag} `)) return answer.text.split(' ', 2)[1]?.toUpperCase() ?? '';
      if (answer.text.startsWith('* BYE')) throw lost();
      onAnswer(answer);
    }
  }

  close(): void {
    this.#socket.end('z LOGOUT\r\n');
    this.#socket.destroySoon();
  }

  async #more(): Promise<Buffer> {
    const next = await this.#received.next().catch((cause: unknown) => {
      throw lost(cause);
    });
    if (next.done === true) throw lost();
    return next.value;
  }

  async #line(): Promise<string> {
    let end = this.#held.indexOf(10);
    while (end === -1) {
      if (this.#held.length > maxLine) throw strange();
      const from = this.#held.length;
      this.#held = Buffer.concat([this.#held, await this.#more()]);
      end = this.#held.indexOf(10, from);
    }
    const line = this.#held.subarray(0, end).toString('latin1');
    this.#held = this.#held.subarray(end + 1);
    this.#allowed -= line.length;
    if (line.length > maxLine || this.#allowed < 0) throw strange();
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }

  async #bytes(length: number): Promise<Buffer> {
    const pieces = [this.#held];
    let received = this.#held.length;
    while (received < length) {
      const piece = await this.#more();
      pieces.push(piece);
      received += piece.length;
    }
    const all = Buffer.concat(pieces);
    this.#held = all.subarray(length);
    return all.subarray(0, length);
  }
}

function literalAt(text: string): { start: number; length: number } | null {
  if (!text.endsWith('}')) return null;
  const start = text.lastIndexOf('{');
  const digits = start === -1 ? '' : text.slice(start + 1, -1).replace('+', '');
  return /^\d{1,15}$/.test(digits) ? { start, length: Number(digits) } : null;
}

async function connect({ host, port, isSecure }: ImapAddress): Promise<Connection> {
  const socket = isSecure ? connectSecurely({ host, port, servername: host }) : connectPlainly({ host, port });
  // Whoever reads from it sees its errors.
  socket.on('error', () => undefined);
  socket.setTimeout(silenceMs, () => socket.destroy(new Error('the server was silent for too long')));
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', resolve);
      socket.once('error', reject);
    });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const isTls = code.includes('CERT') || code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL');
    throw new ProcessingError(
      isTls ? 'tls_failed' : 'connection_failed',
      isTls
        ? 'The certificate of the mail server is not valid for its name. Check the address in the setting `mailbox`.'
        : 'The mail server cannot be reached. Check the address in the setting `mailbox`; it is tried again later.',
      { retryable: true, cause },
    );
  }
  return new Connection(socket);
}

function quoted(text: string): string {
  if (/[\r\n\0]/.test(text)) throw refused();
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** The name of a folder as the protocol writes it (RFC 3501, 5.1.3). */
function folderName(name: string): string {
  return name.replaceAll('&', '&-').replaceAll(/[^ -~]+/g, (letters) => {
    const units = Buffer.from(letters, 'utf16le').swap16();
    return `&${units.toString('base64').replaceAll('=', '').replaceAll('/', ',')}-`;
  });
}

interface Listed {
  number: number;
  size: number;
}

const numberIn = (text: string, pattern: RegExp): number | null => {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? null : Number(found);
};

/**
 * Hands over new letters, the oldest first.
 * @param onOpened called with the validity of its numbers once the folder is open
 * @throws {ProcessingError} also after some letters
 */
export async function readImap(
  task: MailboxTask,
  onOpened: (validity: string) => void,
  onLetter: (number: number, bytes: Uint8Array | null) => Promise<void>,
): Promise<MailboxEnd> {
  const address = task.address as ImapAddress;
  const connection = await connect(address);
  try {
    if (!(await connection.answer()).text.startsWith('* OK')) throw strange();
    const login = `LOGIN ${quoted(address.user)} ${quoted(task.password)}`;
    if ((await connection.command(login, () => undefined)) !== 'OK') throw refused();
    let [count, validity, next] = [0, '', null as number | null];
    const opened = await connection.command(`EXAMINE ${quoted(folderName(address.folder))}`, ({ text }) => {
      count = numberIn(text, /^\* (\d{1,10}) EXISTS/i) ?? count;
      validity = /^\* OK \[UIDVALIDITY (\d{1,20})\]/i.exec(text)?.[1] ?? validity;
      next = numberIn(text, /^\* OK \[UIDNEXT (\d{1,10})\]/i) ?? next;
    });
    if (opened !== 'OK')
      throw new ProcessingError(
        'not_found',
        'The mailbox has no folder with this name. Check the setting `mailbox`: imaps://user@host/Folder, with / between a folder and one inside it, or as the server writes it.',
      );
    onOpened(validity);
    const since = task.since?.validity === validity ? task.since.last : null;
    const wanted = since !== null || task.since !== null ? task.maxLetters : task.maxFirst;
    const { letters, hasMore } =
      count === 0 || wanted === 0
        ? { letters: [], hasMore: false }
        : await listNew(connection, since, Math.max(1, count - wanted + 1), wanted);
    let last = since ?? (next === null ? 0 : next - 1);
    let together = 0;
    let before: number | null = null;
    for (const { number, size } of letters) {
      if (before !== null && together + size > maxTogether) return { validity, last: before, hasMore: true };
      before = number;
      together += size;
      let bytes: Buffer | null = null;
      if (size <= task.maxBytes) {
        const take = ({ text, literal }: Answer): void => {
          if (literal !== null && /^\* \d{1,10} FETCH /i.test(text)) bytes = literal;
        };
        await connection.command(`UID FETCH ${number} (UID BODY.PEEK[])`, take, task.maxBytes);
        // It was removed meanwhile.
        if (bytes === null) continue;
      }
      await onLetter(number, bytes);
    }
    last = Math.max(last, letters.at(-1)?.number ?? 0);
    return { validity, last, hasMore };
  } finally {
    connection.close();
  }
}

/** New letters, those with the smallest numbers; of a folder that was not read before, the newest. */
async function listNew(
  connection: Connection,
  since: number | null,
  first: number,
  wanted: number,
): Promise<{ letters: Listed[]; hasMore: boolean }> {
  let letters: Listed[] = [];
  let hasMore = false;
  const note = ({ text }: Answer): void => {
    const number = numberIn(text, /\bUID (\d{1,10})\b/i);
    const size = numberIn(text, /\bRFC822\.SIZE (\d{1,15})\b/i);
    if (!/^\* \d{1,10} FETCH /i.test(text) || number === null || size === null) return;
    // The last letter is listed even when all numbers are smaller.
    if (number > maxNumber || (since !== null && number <= since)) return;
    letters.push({ number, size });
    if (letters.length < 4 * wanted) return;
    hasMore = true;
    letters = smallest(letters, wanted);
  };
  const command = since === null ? `FETCH ${first}:* (UID RFC822.SIZE)` : `UID FETCH ${since + 1}:* (UID RFC822.SIZE)`;
  if ((await connection.command(command, note)) !== 'OK') throw strange();
  hasMore ||= letters.length > wanted;
  return { letters: smallest(letters, wanted), hasMore: hasMore && since !== null };
}

function smallest(letters: readonly Listed[], count: number): Listed[] {
  return letters.toSorted((one, other) => one.number - other.number).slice(0, count);
}
