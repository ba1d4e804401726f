import type { Document } from '../domain/document.ts';
import type { FailureCode } from '../errors.ts';

/** `linear` never builds a DOM: less text is told from clutter, but no page can make it slow. */
export type ReadingWay = 'whole' | 'linear';

/** What the reading worker is asked. */
export type ReadingRequest =
  | { kind: 'page'; html: string; url: string; way: ReadingWay }
  | { kind: 'language'; text: string };

export interface ReadingResults {
  page: Document;
  language: string | null;
}

/** What the worker posts: once when it can begin, then one answer to each request. */
export type ReadingMessage =
  | { kind: 'ready' }
  | { kind: 'result'; result: Document | string | null }
  | { kind: 'failure'; code: FailureCode; message: string }
  | { kind: 'broken'; error: unknown };
