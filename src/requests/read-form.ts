import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { singleFileNote } from '../domain/links/single-file.ts';
import { refusedInput, unknownFields } from '../domain/refused-input.ts';
import { type FieldProblem, invalidInput } from '../errors.ts';

/** Fields whose value may be large. The others are short. */
const contentFields = ['file', 'html', 'text'] as const;
type ContentField = (typeof contentFields)[number];

/** A file field of a form. */
export interface FormContent {
  field: ContentField;
  /** The name of the uploaded file; empty without a file. */
  fileName: string;
  /** The text is JSON, as `LargeValue` has it. */
  bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the received bytes, in hexadecimal. */
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

const maxFieldLength = 64 * 1024;
/** All fields beside `contentFields` together. */
const maxFieldsBytes = 256 * 1024;
/** Maximum number of reported problems. */
const maxProblems = 20;
/** A list of tags is the longest that anybody sends. */
const maxParts = 120;
/** Where the comment of SingleFile ends, at the latest. */
const noteBytes = 32_000;

/**
 * Reads a form (`multipart/form-data`) that was written to the disk.
 * @throws {AppError} `invalid_input`
 */
export async function readForm({ path, contentType, names, maxContents }: FormTask): Promise<Form> {
  const fields: [string, string][] = [];
  const contents: FormContent[] = [];
  const problems: FieldProblem[] = [];
  let fieldsBytes = 0;
  for (const [name, value] of await parse(await readFile(path), contentType)) {
    if (problems.length >= maxProblems) break;
    const field = contentFields.find((one) => one === name);
    // A browser sends an empty file for a field in which none was chosen.
    const isEmpty = typeof value === 'string' ? value === '' : value.size === 0;
    if (field !== undefined && isEmpty) continue;
    if (field !== undefined) contents.push(await contentOf(field, value));
    else if (typeof value !== 'string' || !names.includes(name)) problems.push(...unknownFields([name]));
    else if (value.length > maxFieldLength)
      problems.push({ path: name, message: `must have at most ${maxFieldLength} characters` });
    else {
      fieldsBytes += Buffer.byteLength(value);
      fields.push([name, value]);
    }
  }
  if (fieldsBytes > maxFieldsBytes)
    problems.push({
      path: '',
      message: `The fields beside the content have more than ${maxFieldsBytes} bytes together`,
    });
  if (contents.length > maxContents)
    problems.push({ path: 'file', message: `only ${maxContents} of file, html and text may be given` });
  if (problems.length > 0) throw refusedInput('The form is not valid.', problems);
  return { fields, contents };
}

/** The whole header: with other parameters, or two boundaries, programs differ about which boundary counts. */
const formType = /^multipart\/form-data;[ \t]*boundary=(?:"([\w'()+,\-./:=?]{1,70})"|([\w'()+,\-./:=?]{1,70}))$/i;

async function parse(bytes: Buffer<ArrayBuffer>, contentType: string): Promise<FormData> {
  const [, quoted, bare] = formType.exec(contentType) ?? [];
  const name = quoted ?? bare;
  if (name === undefined)
    throw invalidInput(
      'The Content-Type must be multipart/form-data with one boundary, and no other parameters. Most programs write it by themselves: do not set Content-Type by hand.',
    );
  const boundary = `--${name}`;
  // Before they are made: a form may have a part in every 50 bytes.
  let parts = 0;
  for (let at = bytes.indexOf(boundary); at !== -1; at = bytes.indexOf(boundary, at + boundary.length)) {
    parts += 1;
    if (parts > maxParts)
      throw refusedInput('The form is not valid.', [{ path: '', message: `It has more than ${maxParts} parts` }]);
  }
  try {
    return await new Response(bytes, {
      headers: { 'content-type': `multipart/form-data; boundary="${name}"` },
    }).formData();
  } catch (cause) {
    throw invalidInput(
      'The body is not a whole form, or its boundary is not the one in Content-Type. Send all of it.',
      { cause },
    );
  }
}

async function contentOf(field: ContentField, value: string | File): Promise<FormContent> {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : new Uint8Array(await value.arrayBuffer());
  const text = field === 'text' ? JSON.stringify(new TextDecoder().decode(bytes)) : null;
  return {
    field,
    fileName: typeof value === 'string' ? '' : value.name,
    bytes: text === null ? bytes : new TextEncoder().encode(text),
    hash: createHash('sha256').update(bytes).digest('hex'),
    savedFrom: singleFileNote(new TextDecoder().decode(bytes.subarray(0, noteBytes)))?.url ?? null,
  };
}
