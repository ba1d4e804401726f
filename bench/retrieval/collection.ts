import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { App } from '../../src/app/app.ts';
import { localAccountId } from '../../src/domain/records/account.ts';
import type { Resource } from '../../src/domain/records/resource.ts';
import { AppError } from '../../src/errors.ts';
import type { Analyst } from '../../src/models/analysis/analyst.ts';

/** A retrieval collection: documents, queries, and which document answers which query. */
export interface Collection {
  documents: { id: string; title: string; text: string }[];
  queries: { id: string; text: string }[];
  /** Relevance grades: query id → document id → grade. */
  judgements: Map<string, Map<string, number>>;
}

const documentLine = z.object({ id: z.coerce.string(), title: z.string().nullish(), text: z.string() });
const queryLine = z.object({ id: z.coerce.string(), text: z.string() });

/**
 * Reads `docs.jsonl` and `queries.jsonl` (one object a line: id, text, and for documents a title) and `qrels.tsv`
 * (query, document, grade; a header line is skipped).
 * @throws {AppError} `invalid_input` naming the file and the invalid line
 */
export async function readCollection(folder: string): Promise<Collection> {
  const documents = await readValues(join(folder, 'docs.jsonl'), (line) => documentLine.parse(JSON.parse(line)));
  const queries = await readValues(join(folder, 'queries.jsonl'), (line) => queryLine.parse(JSON.parse(line)));
  const judgements = new Map<string, Map<string, number>>();
  const rows = await readValues(join(folder, 'qrels.tsv'), (line) => line.split('\t'));
  for (const [query = '', document = '', score = ''] of rows) {
    const grade = Number(score);
    if (!Number.isFinite(grade) || score.trim() === '') continue;
    const ofQuery = judgements.get(query) ?? new Map<string, number>();
    judgements.set(query, ofQuery.set(document, grade));
  }
  return { documents: documents.map(({ id, title, text }) => ({ id, title: title ?? '', text })), queries, judgements };
}

const words = {
  unreadable: 'cannot be read. A collection is a folder with docs.jsonl, queries.jsonl and qrels.tsv.',
  wrongLine: 'is not what a collection holds there.',
};

async function readValues<T>(path: string, parse: (line: string) => T): Promise<T[]> {
  return (await readLines(path, words, parse)).map(({ value }) => value);
}

/** Made-up base address of the documents; nothing is ever fetched from it. */
const address = 'https://collection.invalid/';

/** A document in the form of a fetched resource, so that it goes through the real pipeline. */
export function documentResource({ id, title, text }: Collection['documents'][number]): Resource {
  const url = address + encodeURIComponent(id);
  const whole = title === '' ? text : `# ${title.replaceAll(/\s+/g, ' ')}\n\n${text}`;
  return {
    url,
    finalUrl: url,
    bytes: Buffer.from(whole),
    declaredType: 'text/markdown',
    fetchedAt: new Date(0).toISOString(),
  };
}

/** The id of the document whose item has this address. */
export function documentIdOf(url: string): string {
  return decodeURIComponent(url.slice(address.length));
}

/** Returns an empty analysis, so that retrieval alone is measured. */
export const noAnalysis: Analyst = {
  by: 'extractive',
  model: null,
  analyse: () => Promise.resolve({ summary: null, insights: [], actions: [], droppedQuotes: 0 }),
};

/** Error texts for an unreadable file and an invalid line; they follow the path or the line number. */
export interface LinesWords {
  unreadable: string;
  wrongLine: string;
}

/**
 * Reads a file with one value per line; blank lines are skipped.
 * @throws {AppError} `invalid_input` naming the file, or the line for which `parse` throws
 */
export async function readLines<T>(
  path: string,
  words: LinesWords,
  parse: (line: string) => T,
): Promise<{ line: number; value: T }[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new AppError('invalid_input', `${path} ${words.unreadable}`, { cause: error });
  }
  return text.split('\n').flatMap((row, index) => {
    if (row.trim() === '') return [];
    try {
      return [{ line: index + 1, value: parse(row.replace(/\r$/, '')) }];
    } catch (error) {
      throw new AppError('invalid_input', `${path}, line ${index + 1} ${words.wrongLine}`, { cause: error });
    }
  });
}

export async function countPassages({ stores, embedder }: App): Promise<number> {
  return (await (await stores.open(localAccountId)).countVectors(embedder?.id ?? '', embedder?.languages)).passages;
}
