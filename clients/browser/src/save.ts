/** What waits in the browser to be sent, without the content of its page. */
export interface Save {
  /** The place in the queue; given by the browser's database. */
  id: number;
  /** Of this save alone: a server that gets it twice answers the second time as it did the first. */
  key: string;
  url: string;
  title: string;
  tags: string[];
  notes: string;
  /** To be read later; absent: it comes to the inbox, or stays where it is. */
  isLater?: boolean;
  /** Words that the person marked on the page. */
  highlights: string[];
  /** A page that is saved already gets its highlights alone, and is not read again. */
  isHighlight: boolean;
  at: number;
  /** Why the library refused this; null while it waits. */
  refused: string | null;
}

export function base64Bytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
