import type { Document } from '../../domain/document.ts';
import type { FailureCode } from '../../errors.ts';

/** `linear` never builds a DOM: less text is told from clutter, but no page can make it slow. */
export type ReadingWay = 'whole' | 'linear';

/** Texts that are read as they are: files, feeds, the data that Reddit and X give of a thread and a post. */
export type TextKind = 'markdown' | 'text' | 'feed' | 'reddit' | 'captions' | 'embedded-post';

/** What the reading worker is asked: `url` is where the text is from, for links and for names. */
export type ReadingRequest =
  | { kind: 'page'; text: string; url: string; way: ReadingWay }
  | { kind: TextKind; text: string; url: string };

/**
 * What the worker posts: once when it can be asked; of each request when all is loaded that it needs, that it chose the linear way itself
 * when it does, then one answer.
 */
export type ReadingMessage =
  | { kind: 'ready' }
  | { kind: 'begun' }
  | { kind: 'linear' }
  | { kind: 'result'; document: Document }
  | { kind: 'failure'; code: FailureCode; message: string }
  | { kind: 'broken'; error: unknown };
