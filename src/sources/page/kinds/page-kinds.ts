import { readDiscussion } from './discussion.ts';
import { readPaper } from './paper.ts';
import { readPost } from './post.ts';
import { readRepository } from './repo.ts';
import type { WholePage, PageReading } from '../reading.ts';

const readers = [readDiscussion, readRepository, readPost, readPaper];

/** Recognises kinds of pages by their structure, the most certain kind first. Null for any other page. */
export function readKnownKind(page: WholePage): PageReading | null {
  for (const read of readers) {
    const reading = read(page);
    if (reading !== null) return reading;
  }
  return null;
}
