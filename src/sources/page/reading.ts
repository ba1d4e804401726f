import type { ContentType } from '../../domain/records/content.ts';
import type { DomNode } from './html/dom-node.ts';
import type { PageFacts } from './html/html-scan.ts';
import type { HtmlToMarkdown } from './markdown/html-to-markdown.ts';

export interface WholePage {
  html: string;
  root: DomNode;
  facts: PageFacts;
  url: string;
  toMarkdown: HtmlToMarkdown;
}

/** Data read from a page of a known kind. Absent or null fields are read as on any other page. */
export interface PageReading {
  contentType: ContentType;
  markdown?: string;
  title?: string | null;
  author?: string | null;
  publishedAt?: string | null;
  canonicalUrl?: string | null;
  /** Guesses that count only where the page declares nothing. */
  hints?: Hint[];
}

export interface Hint {
  title: string | null;
  author: string | null;
  siteName: string | null;
  publishedAt: string | null;
}
