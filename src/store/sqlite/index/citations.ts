import { hasTextPlaces } from '../../../domain/links/deep-links.ts';
import { locatorAt, type PlacedBlock, type Transcript } from '../../../domain/records/document.ts';
import type { ContentType } from '../../../domain/records/content.ts';
import type { Locator } from '../../../domain/records/locator.ts';
import { createTextFragments } from '../../../domain/links/text-fragment.ts';
import type { PassagePart, PassagePlace } from '../../search-records.ts';
import type { Answering } from './result-assembly.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

interface PassageRow {
  passageId: number;
  documentId: number;
  contentType: ContentType;
  start: number;
  end: number;
  locator: string;
  fragment: string | null;
}

/** A document's text, and a function that makes links into it. */
interface KeptText {
  transcript: Transcript;
  fragmentOf: (start: number, end: number) => string | null;
}

/** Characters of text to cache: an answer asks repeatedly for places in the same texts until all of it fits. */
const maxKeptCharacters = 400_000;

/**
 * Locates parts of passages in their sources. Caches the most recently used texts: making a link into a cached text
 * takes a fraction of the time of reading it. Create one for each thread.
 */
export class SourcePlaces {
  /** Keyed by file state and document. A changed text is a new document, and ids are not reused within a file state. */
  readonly #texts = new Map<string, KeptText>();
  readonly #states = new WeakMap<SqliteFile, { schema: number; number: number }>();
  #lastState = 0;
  #characters = 0;

  /** See `Store.locate`. */
  locate(file: SqliteFile, parts: readonly PassagePart[]): (PassagePlace | null)[] {
    const rows = file.all<PassageRow>(
      `SELECT p.id AS passageId, p.document AS documentId, d.content_type AS contentType, p.start_at AS start,
         p.end_at AS "end", p.locator, p.fragment
       FROM json_each(?) wanted JOIN passages p ON p.id = wanted.value JOIN documents d ON d.id = p.document
       JOIN content c ON c.seq = p.content AND c.deleted_at IS NULL`,
      JSON.stringify([...new Set(parts.map(({ passageId }) => passageId))]),
    );
    const byId = new Map(rows.map((row) => [row.passageId, row]));
    return parts.map((part) => {
      const row = byId.get(part.passageId);
      return row === undefined ? null : this.#place(file, row, part);
    });
  }

  /** Like `locate`, for a whole passage that was read in the same transaction. */
  ofWhole(file: SqliteFile, { passage, documentId, fragment }: Answering): PassagePlace {
    const { locator, start, end, itemContentType: contentType } = passage;
    return locator.kind === 'text'
      ? this.#textPlace(file, { documentId, contentType, start, end, fragment }, start, end)
      : { locator, fragment: null };
  }

  #place(file: SqliteFile, row: PassageRow, part: PassagePart): PassagePlace {
    const whole = JSON.parse(row.locator) as Locator;
    const [start, end] = [row.start + part.start, Math.min(row.end, row.start + part.end)];
    if (whole.kind === 'text') return this.#textPlace(file, row, start, end);
    if (part.start === 0) return { locator: whole, fragment: null };
    const { transcript } = this.#text(file, row.documentId);
    const visible = start + transcript.text.slice(start, end).search(/\S|$/);
    return { locator: locatorAt(transcript, visible, end), fragment: null };
  }

  #textPlace(
    file: SqliteFile,
    whole: Omit<PassageRow, 'passageId' | 'locator'>,
    start: number,
    end: number,
  ): PassagePlace {
    return { locator: { kind: 'text', start, end }, fragment: this.#fragment(file, whole, start, end) };
  }

  #fragment(
    file: SqliteFile,
    { documentId, contentType, ...whole }: Omit<PassageRow, 'passageId' | 'locator'>,
    start: number,
    end: number,
  ): string | null {
    if (!hasTextPlaces(contentType)) return null;
    if (whole.fragment !== null && start === whole.start && end === whole.end) return whole.fragment || null;
    return this.#text(file, documentId).fragmentOf(start, end);
  }

  #stateOf(file: SqliteFile): number {
    const schema = file.schema();
    const known = this.#states.get(file);
    if (known?.schema === schema) return known.number;
    this.#lastState += 1;
    this.#states.set(file, { schema, number: this.#lastState });
    return this.#lastState;
  }

  #text(file: SqliteFile, documentId: number): KeptText {
    const key = `${this.#stateOf(file)} ${documentId}`;
    const kept = this.#texts.get(key) ?? this.#read(file, documentId);
    this.#characters -= this.#texts.delete(key) ? kept.transcript.text.length : 0;
    this.#texts.set(key, kept);
    this.#characters += kept.transcript.text.length;
    for (const [oldest, { transcript }] of this.#texts) {
      if (this.#characters <= maxKeptCharacters || this.#texts.size === 1) break;
      this.#texts.delete(oldest);
      this.#characters -= transcript.text.length;
    }
    return kept;
  }

  #read(file: SqliteFile, documentId: number): KeptText {
    const row = file.get<{ text: string; blocks: string }>(
      'SELECT text, blocks FROM documents WHERE id = ?',
      documentId,
    );
    const transcript = { text: row?.text ?? '', blocks: JSON.parse(row?.blocks ?? '[]') as PlacedBlock[] };
    return { transcript, fragmentOf: createTextFragments(transcript) };
  }
}
