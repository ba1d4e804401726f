import { escapeIdentifier } from 'pg';
import { raw, Sql } from 'sql-template-tag';
import { JsonText } from '../../library/db.ts';

/* SQL as tagged templates: a placeholder becomes a parameter, or a part of the statement. */

/** Rows in the order of the answer, and how many the statement found or changed. */
export type Rows<T extends readonly object[] = Record<string, unknown>[]> = T & { readonly count: number };

export type Send = (text: string, values: readonly unknown[]) => Promise<Rows>;

type Scalar = string | number | bigint | boolean | null;
export type Value = Scalar | Uint8Array | JsonText | readonly Scalar[] | Sql | Statement<readonly object[]>;

/** A statement, which is sent when it is awaited or executed, or a part of another statement. */
export class Statement<T extends readonly object[]> implements Promise<Rows<T>> {
  readonly [Symbol.toStringTag] = 'Statement';
  readonly sql: Sql;
  readonly #send: Send;
  #answer: Promise<Rows<T>> | null = null;

  constructor(sql: Sql, send: Send) {
    this.sql = sql;
    this.#send = send;
  }

  /** Sends it now; later ones are sent without waiting for its answer. */
  execute(): Promise<Rows<T>> {
    this.#answer ??= this.#send(this.sql.text, this.sql.values) as Promise<unknown> as Promise<Rows<T>>;
    return this.#answer;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a statement runs when it is awaited; otherwise it can be part of another statement
  then<A = Rows<T>, B = never>(
    onAnswer?: ((rows: Rows<T>) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.execute().then(onAnswer, onError);
  }

  catch<B = never>(onError?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Rows<T> | B> {
    return this.execute().catch(onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Rows<T>> {
    return this.execute().finally(onEnd);
  }
}

export interface Tag {
  <T extends readonly object[] = Record<string, unknown>[]>(
    strings: TemplateStringsArray,
    ...values: readonly Value[]
  ): Statement<T>;
  /** The quoted name of a table, column or role. */
  (name: string): Sql;
  /** Text that is not a template. It may have several statements when there are no values. */
  unsafe(text: string, values?: readonly Value[]): Promise<Rows>;
}

export function tagFor(send: Send): Tag {
  const tag = (strings: TemplateStringsArray | string, ...values: readonly Value[]): unknown =>
    typeof strings === 'string'
      ? raw(escapeIdentifier(strings))
      : new Statement(new Sql(strings, values.map(toParameter)), send);
  const unsafe = (text: string, values: readonly Value[] = []) => send(text, values.map(toParameter));
  return Object.assign(tag as Omit<Tag, 'unsafe'> & typeof tag, { unsafe }) as Tag;
}

/** A parameter for a column of the type `json`, which keeps the order of keys, as `jsonb` does not. Null is SQL's. */
export function json(value: unknown): Sql {
  return new Sql(['', '::json'], [value === null ? null : JSON.stringify(value)]);
}

function toParameter(value: Value): unknown {
  if (value instanceof Statement) return value.sql;
  if (value instanceof Sql || value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return encodeText(value);
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return value.map(toParameter);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  // A mistake of the caller: `undefined` would become null in silence, and an object a text.
  throw new TypeError(`a value of the type ${typeof value} is no parameter`);
}

/*
 * PostgreSQL's `text` holds every character but U+0000, which people's notes and pages may have. It is stored as two
 * characters, of which the first is a code point that Unicode keeps free of characters for ever.
 */
const escape = '\u{10FFFE}';

export function encodeText(text: string): string {
  if (!text.includes('\0') && !text.includes(escape)) return text;
  return text.replaceAll(escape, `${escape}1`).replaceAll('\0', `${escape}0`);
}

export function decodeText(stored: string): string {
  if (!stored.includes(escape)) return stored;
  return stored.replaceAll(`${escape}0`, '\0').replaceAll(`${escape}1`, escape);
}
