import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { singleFileNote } from '../domain/links/single-file.ts';
import { refusedInput, unknownFields } from '../domain/refused-input.ts';
import { AppError } from '../errors.ts';

/** Fields whose value may be large. The others are short. */
const contentFields = ['file', 'html', 'text'] as const;
type ContentField = (typeof contentFields)[number];

/** What a field of a form brings to be read. */
export interface FormContent {
  field: ContentField;
  /** The name that a file had; empty for what is no file. */
  fileName: string;
  /** The text is JSON, as `LargeValue` has it. */
  bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 in hexadecimal, of what was sent. */
  hash: string;
  /** Where SingleFile saved this page; null for all others. */
  savedFrom: string | null;
}

export interface Form {
  fields: (readonly [name: string, value: string])[];
  contents: FormContent[];
}

export interface FormTask {
  kind: 'form';
  path: string;
  contentType: string;
  /** Fields that the form may have, beside `contentFields`. */
  names: readonly string[];
  maxContents: number;
}

const maxFieldBytes = 64 * 1024;
/** A list of tags is the longest that anybody sends. */
const maxParts = 120;
const limits = { parts: maxParts, fieldSize: maxFieldBytes, headerPairs: 20, headerSize: 8_192 };

/**
 * Reads a form (`multipart/form-data`) that was written to the disk. Its parts are counted as they are found, so that a form
 * with many costs no more than one with a few.
 * @throws {AppError} `invalid_input`
 */
export async function readForm({ path, contentType, names, maxContents }: FormTask): Promise<Form> {
  const fields: [string, string][] = [];
  const files: { field: ContentField; fileName: string; pieces: Uint8Array[] }[] = [];
  const unknown = new Set<string>();
  let refusal: AppError | undefined;
  const form = openForm(contentType);
  const refuse = (error: AppError): void => {
    refusal ??= error;
    form.destroy(refusal);
  };
  form.on('file', (name: string, stream: BusboyFileStream, fileName?: string) => {
    const file = { field: name as ContentField, fileName: fileName ?? '', pieces: [] as Uint8Array[] };
    if (isContent(name)) files.push(file);
    else unknown.add(name ?? '');
    stream.on('data', (piece: Uint8Array) => file.pieces.push(piece));
    stream.on('error', () => refuse(broken()));
  });
  form.on('field', (name: string, value: string, _isNameCut: boolean, isCut: boolean) => {
    if (isCut) refuse(wrong(name, `must have at most ${maxFieldBytes} bytes`));
    else if (names.includes(name)) fields.push([name, value]);
    else unknown.add(name ?? '');
  });
  const tooManyParts = (): void => refuse(wrong('', `It has more than ${maxParts} parts`));
  form.on('partsLimit', tooManyParts);
  try {
    await pipeline(createReadStream(path), form);
  } catch (error) {
    // The library's own words are not for clients.
    throw refusal ?? broken(error);
  }
  if (unknown.size > 0) throw refusedInput('The form is not valid.', unknownFields([...unknown]));
  // A browser sends an empty file for a field in which none was chosen.
  const given = files.filter(({ pieces }) => pieces.length > 0);
  if (given.length > maxContents) throw tooMany(maxContents);
  return { fields, contents: given.map(contentOf) };
}

function openForm(contentType: string): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (name, _type, fileName) => isContent(name) || fileName !== undefined,
      limits,
    });
  } catch (error) {
    throw broken(error);
  }
}

function isContent(name: string | undefined): boolean {
  return contentFields.some((field) => field === name);
}

/** Where the comment of SingleFile ends, at the latest. */
const noteBytes = 32_000;

function contentOf({
  field,
  fileName,
  pieces,
}: {
  field: ContentField;
  fileName: string;
  pieces: Uint8Array[];
}): FormContent {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return {
    field,
    fileName,
    bytes: field === 'text' ? asJson(bytes) : bytes,
    hash: createHash('sha256').update(bytes).digest('hex'),
    savedFrom: singleFileNote(new TextDecoder().decode(bytes.subarray(0, noteBytes)))?.url ?? null,
  };
}

function asJson(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  try {
    return new TextEncoder().encode(JSON.stringify(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    throw wrong('text', 'is not valid UTF-8');
  }
}

function wrong(name: string, message: string): AppError {
  return refusedInput('The form is not valid.', [{ path: name, message }]);
}

function tooMany(maxContents: number): AppError {
  return wrong(
    'file',
    maxContents === 1 ? 'only one of file, html and text may be given' : `only ${maxContents} may be given`,
  );
}

function broken(cause?: unknown): AppError {
  return new AppError(
    'invalid_input',
    'The body is not a whole form (multipart/form-data with a boundary). Most programs make one by themselves: do not set Content-Type by hand.',
    { cause },
  );
}
