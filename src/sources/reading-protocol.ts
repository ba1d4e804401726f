import type { Document } from '../domain/document.ts';
import type { FailureCode } from '../errors.ts';

/** `linear` never builds a DOM: less text is told from clutter, but no page can make it slow. */
export type ReadingWay = 'whole' | 'linear';

/** What the reading worker is asked: `url` is where the text is from, for links and for names. */
export type ReadingRequest =
  | { kind: 'page'; text: string; url: string; way: ReadingWay }
  | { kind: 'markdown' | 'text'; text: string; url: string };

/** What the worker posts: once when it can begin, then one answer to each request. */
export type ReadingMessage =
  | { kind: 'ready' }
  | { kind: 'result'; document: Document }
  | { kind: 'failure'; code: FailureCode; message: string }
  | { kind: 'broken'; error: unknown };
