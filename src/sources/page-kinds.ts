import type { ContentType } from '../domain/content.ts';
import type { PageFacts } from './html-scan.ts';
import type { DomNode, HtmlToMarkdown } from './html-to-markdown.ts';
import { readDiscussion } from './discussion.ts';
import { readPaper } from './paper.ts';
import { readPost } from './post.ts';
import { readRepository } from './repo.ts';

/** An element as the readers of kinds ask it. */
export interface PageElement extends DomNode {
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  closest(selector: string): PageElement | null;
}

/** A page as it is before anything is taken out of it. */
export interface WholePage {
  html: string;
  root: PageElement;
  facts: PageFacts;
  url: string;
  toMarkdown: HtmlToMarkdown;
}

/** What a page of a known kind says of itself. What is absent or null is read as of any page. */
export interface PageReading {
  contentType: ContentType;
  markdown?: string;
  title?: string | null;
  author?: string | null;
  publishedAt?: string | null;
  canonicalUrl?: string | null;
}

const readers = [readDiscussion, readRepository, readPost, readPaper];

/** Tells kinds of pages by how they are built, in the order of how sure that is; null for any other page. */
export function readKnownKind(page: WholePage): PageReading | null {
  for (const read of readers) {
    const reading = read(page);
    if (reading !== null) return reading;
  }
  return null;
}
