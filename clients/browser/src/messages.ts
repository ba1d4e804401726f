import type { Known, Why } from './connection.ts';
import type { Fate } from './outbox.ts';
import type { Save } from './save.ts';

/** The panel's data about the current page. */
export interface Seen {
  /** Null where the browser denies extensions access: its own pages and its stores. */
  page: { url: string; title: string; selection: string; sends: 'html' | 'pdf' | 'address' } | null;
  known: Known | null;
  problem: { why: Why; message: string } | null;
}

/** A save stored in the browser. */
export interface Kept {
  id: number;
  /** Only the address is sent, because the page is too large. */
  isTooLarge: boolean;
}

/** Calls from the extension's pages to its background script, with their answers. */
export interface Calls {
  see: { input: { tabId: number }; answer: Seen };
  keep: {
    input: { tabId: number; tags: string[]; notes: string; isLater?: boolean; highlight: boolean };
    answer: Kept;
  };
  send: { input: { id: number }; answer: Fate | null };
  list: { input: object; answer: Save[] };
  discard: { input: { id: number }; answer: void };
  retry: { input: { id: number }; answer: void };
  greet: { input: object; answer: { version: string } | { why: Why; message: string } };
}

export type Call = keyof Calls;

export async function ask<Name extends Call>(call: Name, input: Calls[Name]['input']): Promise<Calls[Name]['answer']> {
  const { answer, error } = (await chrome.runtime.sendMessage({ call, input })) as {
    answer: Calls[Name]['answer'];
    error?: string;
  };
  if (error !== undefined) throw new Error(error);
  return answer;
}
