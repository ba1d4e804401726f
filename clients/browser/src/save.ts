import type { PageContent } from './page/read-page.ts';

/** What waits in the browser to be sent. */
export interface Save {
  /** The place in the queue; given by the browser's database. */
  id: number;
  /** Of this save alone: a server that got it twice takes it once. */
  key: string;
  url: string;
  title: string;
  content: PageContent;
  tags: string[];
  notes: string;
  /** Words that the person marked on the page. */
  highlights: string[];
  /** A page that is saved already gets its highlights alone, and is not read again. */
  isHighlight: boolean;
  at: number;
  /** What the library said when it refused this for good. */
  refused?: string;
}

export function base64Bytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
