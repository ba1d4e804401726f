import { createHash } from 'node:crypto';
import { type Caption, readStampedText, readTimedLines, captionLines } from '../domain/captions/timed-lines.ts';
import { cleanLine, hasVisibleText } from '../domain/text/clean-text.ts';
import {
  maxPushedCaptions,
  type PushedContent,
  pushedText,
  pushedType,
  timedCaption,
} from '../domain/records/pushed-content.ts';
import type { Resource } from '../domain/records/resource.ts';
import { noteScheme } from '../domain/links/shown-address.ts';
import type { AppError } from '../errors.ts';
import { type FieldProblem, invalidInput } from '../errors.ts';
import { fieldProblems, refusedInput } from '../domain/refused-input.ts';
import { parseJsonBytes } from './json-bytes.ts';
import type { Pushed, RequestTask } from './request-protocol.ts';

const kinds = ['text', 'html', 'captions'] as const;

/**
 * Makes the original from the content that a client sent; null when it sent none.
 * @param url `note:` for a note, which then gets its own address
 * @throws {AppError} `invalid_input` naming the field, when more than one kind was sent or the content cannot be read
 */
function pushedOriginal(url: URL, pushed: Pushed, fetchedAt: string): Resource | null {
  const given = kinds.filter((kind) => pushed[kind] !== undefined);
  const [kind, second] = given;
  if (kind === undefined) {
    if (pushed.title === undefined) return null;
    throw refused('title', 'belongs to text, html or captions: give one of them, or leave the title out');
  }
  if (second !== undefined)
    throw refused(second, `cannot be given beside ${kind}: give one of text, html and captions`);
  const content: PushedContent = { title: titleOf(pushed.title), ...read(kind, pushed) };
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const address = url.protocol === noteScheme ? noteAddress(bytes) : url.href;
  return {
    url: address,
    finalUrl: address,
    bytes,
    // The charset is declared, so that an encoding declaration inside the page is ignored.
    declaredType: `${pushedType}; charset=utf-8`,
    fetchedAt,
  };
}

/** Equal for notes with the same title and text. */
function noteAddress(bytes: Uint8Array): string {
  return noteScheme + createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}

function titleOf(title: string | undefined): string | null {
  const plain = cleanLine(title ?? '');
  return plain === '' ? null : plain;
}

function read(kind: (typeof kinds)[number], pushed: Pushed): Omit<PushedContent, 'title'> {
  if (kind === 'captions') return { captions: readCaptions(pushed.captions ?? '') };
  const text = pushed[kind] ?? '';
  if (isBinary(text))
    throw refused(kind, 'is no text: binary files are saved from the command line (commonplace save <file>)');
  if (!hasVisibleText(text)) throw refused(kind, 'is empty: give what the page says');
  return { [kind]: text };
}

function readCaptions(given: NonNullable<Pushed['captions']>): NonNullable<PushedContent['captions']> {
  if (typeof given === 'string' && isBinary(given)) throw refused('captions', 'is no text: give WebVTT or SRT');
  const captions =
    typeof given !== 'string'
      ? given.map(({ start, duration, text }) => ({ start, duration: duration ?? null, text: captionLines(text) }))
      : readCaptionText(given);
  const heard = captions.filter(({ text }) => hasVisibleText(text));
  if (heard.length === 0) {
    throw refused(
      'captions',
      'holds none: give WebVTT or SRT, lines that begin with a time (0:05), or a list of {start, text} in seconds',
    );
  }
  return heard
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, duration, text }) => ({ start, ...(duration !== null && { duration }), text }));
}

/**
 * The client says that this text is captions, so even one line with a timestamp counts. Only for text that may be
 * something else, more such lines are required.
 */
function readCaptionText(text: string): Caption[] {
  const stamped = readStampedText(text);
  if (stamped !== null) return stamped;
  const timed = readTimedLines(text);
  return timed.length > 0 ? timed : (readStampedText(text, 1) ?? []);
}

/**
 * Above this share of control and replacement characters, the text is taken for binary data that was decoded as text.
 */
const binaryShare = 0.01;

function isBinary(text: string): boolean {
  const strange = text.match(/[[\p{Cc}\ufffd]--[\t\n\v\f\r]]/gv)?.length ?? 0;
  return strange > text.length * binaryShare || /^%PDF-\d/.test(text) || text.startsWith('PK\u0003\u0004');
}

function refused(path: string, problem: string): AppError {
  return invalidInput(`${path} ${problem}`, { fields: [{ path, message: problem }] });
}

/** Validation stops after this many problems. More would not help, and a hostile list has hundreds of thousands. */
const maxProblems = 20;

/**
 * Makes the original from the content that a client sent; null when it sent none.
 * @throws {AppError} `invalid_input` naming the fields that are wrong
 */
export function readPushed(task: RequestTask & { kind: 'original' }): Resource | null {
  const problems: FieldProblem[] = [];
  const given = Object.entries(task.pushed).map(([name, value]) => {
    // Parsed captions are an array, which has no `json` field.
    if (typeof value !== 'object' || !('json' in value)) return [name, value];
    const read = parseJsonBytes(value.json);
    problems.push(...(Array.isArray(read) ? captionProblems(name, read) : textProblems(name, read)));
    return [name, read];
  });
  if (problems.length > 0) throw refusedInput('What was sent is not valid.', problems);
  return pushedOriginal(new URL(task.url), Object.fromEntries(given) as Pushed, task.fetchedAt);
}

function textProblems(name: string, text: unknown): FieldProblem[] {
  const issues = pushedText.safeParse(text).error?.issues ?? [];
  return issues.flatMap((issue) => fieldProblems({ ...issue, path: [name] }));
}

function captionProblems(name: string, captions: readonly unknown[]): FieldProblem[] {
  if (captions.length > maxPushedCaptions)
    return [{ path: name, message: `must have at most ${maxPushedCaptions} entries` }];
  const problems: FieldProblem[] = [];
  for (const [index, caption] of captions.entries()) {
    const issues = timedCaption.safeParse(caption).error?.issues ?? [];
    problems.push(...issues.flatMap((issue) => fieldProblems({ ...issue, path: [name, index, ...issue.path] })));
    if (problems.length >= maxProblems) break;
  }
  return problems;
}
