import { CallError, wordsOf } from '../data/calls.ts';
import type { Fate } from '../kept/outbox.ts';
import type { ItemNews, LibraryNews, LibraryState } from '../data/records.ts';
import type { Store } from '../data/answers.ts';

/** Something that was saved from this window, or is about to be. */
export interface Entry {
  key: number;
  name: string;
  isFile: boolean;
  state: 'waiting' | 'sending' | 'saved' | 'refused';
  /** Of a file: how much of it was sent, from 0 to 1. */
  sent: number;
  id?: string;
  outcome?: 'created' | 'existed' | 'requeued' | 'restored';
  /** When it was saved first. */
  createdAt?: string;
  /** Whether it has an address. */
  isPage?: boolean;
  /** Why it was refused. */
  problem?: string;
}

interface Saved {
  id: string;
  title: string | null;
  url: string | null;
  status: ItemNews['status'];
  outcome: Exclude<Entry['outcome'], undefined>;
  createdAt: string;
}

/** The input of `save_content`, or of `add_note`. */
interface Saving {
  url?: string;
  text?: string;
  tags?: string[];
  notes?: string;
}

/** The draft of the save box. */
export const saveDraft = 'save';

/** Entries that are kept once they are saved, and items of which news is kept. */
const maxKept = 300;
/** Views are asked again at most this often while items are processed. */
const refreshMs = 1_500;
/** The server takes at most this much; see `src/http/rest/capture.ts`. */
const maxFileMegabytes = 32;

/** What depends on which items there are, and how far they are. */
const changing = [
  'library_state',
  'list_content',
  'list_library',
  'list_tags',
  'list_todo',
  'search_library',
  'goals_overview',
  'weekly_review',
];

/** What was saved from this window and what is under way, with how far it is. It stays while views come and go. */
export class Desk {
  readonly #store: Store;
  readonly #listeners = new Set<() => void>();
  /** How what is not saved yet is sent again. */
  readonly #again = new Map<number, () => void>();
  #keys = 0;
  /** Files are sent one after the other. */
  #sending: Promise<void> = Promise.resolve();
  #refreshing: ReturnType<typeof setTimeout> | undefined;
  /** The newest first. */
  entries: readonly Entry[] = [];
  /** Items that were not processed to the end, when they were counted last. */
  pending = 0;
  /** By id. */
  news: ReadonlyMap<string, ItemNews> = new Map();

  constructor(store: Store) {
    this.#store = store;
    for (const [key, { operation, input }] of store.outbox.waiting)
      if (operation === 'save_content' || operation === 'add_note')
        store.outbox.follow(key, this.#follow(this.#add(nameOf(input), (entry) => this.#send(entry, input))));
  }

  /** Whether a file would be lost if the page were closed now. */
  get hasUnsentFile(): boolean {
    return this.entries.some(({ isFile, state }) => isFile && (state === 'waiting' || state === 'sending'));
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  save(what: Exclude<What, { kind: 'nothing' }>, { tags, notes }: About = nothingMore): void {
    const about = { ...(tags.length > 0 && { tags }), ...(notes.trim() !== '' && { notes }) };
    const inputs =
      what.kind === 'note' ? [{ text: what.text, ...about }] : what.addresses.map((url) => ({ url, ...about }));
    for (const input of inputs) this.retry(this.#add(nameOf(input), (key) => this.#send(key, input)));
  }

  #send(key: number, input: Saving): void {
    const typed = input.url ?? input.text ?? '';
    const draft = { name: saveDraft, value: { typed, tags: (input.tags ?? []).join(', '), words: input.notes ?? '' } };
    const operation = input.url === undefined ? 'add_note' : 'save_content';
    this.#change(key, { state: 'sending' });
    this.#store.outbox.add({ operation, input, drafts: [draft] }, this.#follow(key));
  }

  #follow(key: number): (fate: Fate) => void {
    return (fate) => {
      if (typeof fate === 'string') this.#change(key, { state: 'waiting' });
      else if ('refused' in fate) this.#change(key, { state: 'refused', problem: fate.refused.message });
      else this.#saved(key, fate.answer as Partial<Saved>);
    };
  }

  saveFiles(files: Iterable<File>, about: About = nothingMore): void {
    for (const file of files) this.retry(this.#add(file.name, (key) => this.#sendFile(key, file, about), true));
  }

  #sendFile(key: number, file: File, { tags, notes }: About): void {
    const form = new FormData();
    form.set('tags', tags.join(','));
    form.set('notes', notes);
    form.set('file', file);
    const send = async (): Promise<void> => {
      this.#change(key, { state: 'sending' });
      try {
        if (file.size === 0) throw new CallError('The file is empty, or it is a folder. Choose single files.', 400);
        if (file.size > maxFileMegabytes * 2 ** 20)
          throw new CallError(
            `The file is larger than ${maxFileMegabytes} MB. Save it on the server’s machine: commonplace save <file>`,
            413,
          );
        const { formToken } = this.#store.start;
        const onSent = (sent: number): void => this.#change(key, { sent });
        this.#saved(key, await sendFile<Saved>('/app/capture', form, formToken, onSent));
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        this.#change(key, {
          state: 'refused',
          problem:
            error.status === 0
              ? 'The server does not answer. Nothing was saved; try again when it is back.'
              : error.message,
        });
      }
    };
    this.#sending = this.#sending.then(send);
  }

  /** Sends what is new, or was refused. */
  retry(key: number): void {
    this.#change(key, { state: 'waiting', sent: 0, problem: '' });
    this.#again.get(key)?.();
  }

  /** Ids of what was saved here and is not finished, as far as is known. */
  unfinished(): string[] {
    return this.entries.flatMap(({ id }) => (id !== undefined && isUnderWay(this.news.get(id)) ? [id] : []));
  }

  take({ items, counts, isWritten }: LibraryNews): void {
    const news = new Map(this.news);
    const own = new Set(this.entries.map(({ id }) => id));
    // The news of an item may be here before the answer that says that it is one of these.
    const isSending = this.entries.some(({ state }) => state === 'sending');
    let isSettled = false;
    for (const item of items) {
      news.delete(item.id);
      const goesOn = isUnderWay(item);
      if (!goesOn) isSettled = true;
      if (goesOn || isSending || own.has(item.id)) news.set(item.id, item);
      if (!goesOn && location.pathname.endsWith(item.id)) this.#store.refresh('read_item');
    }
    for (const id of news.keys()) {
      if (news.size <= maxKept) break;
      news.delete(id);
    }
    this.news = news;
    this.pending = counts?.pending ?? this.pending;
    this.#tell();
    const known = this.#store.get<LibraryState>('library_state', {})?.answer;
    const isCounted =
      counts !== undefined &&
      (known?.searchable !== counts.searchable || known.pending !== counts.pending || known.failed !== counts.failed);
    if (isWritten === true) this.#store.refresh();
    else if (isSettled || isCounted) this.#refreshSoon();
  }

  /** Asks again for what is shown. */
  lookAgain(): void {
    this.#store.refresh();
  }

  #refreshSoon(): void {
    if (this.#refreshing !== undefined) return;
    this.#refreshing = setTimeout(() => {
      this.#refreshing = undefined;
      this.#store.refresh(...changing);
    }, refreshMs);
  }

  /** @param saved without an id when another window has sent it */
  #saved(
    key: number,
    { id, title = null, url = null, status = 'pending', outcome = 'created', createdAt }: Partial<Saved>,
  ): void {
    // The stream may have been faster.
    if (id !== undefined && !this.news.has(id)) this.news = new Map(this.news).set(id, { id, title, url, status });
    this.#again.delete(key);
    this.#change(key, {
      state: 'saved',
      outcome,
      isPage: url !== null,
      ...(createdAt !== undefined && { createdAt }),
      ...(id !== undefined && { id }),
      ...(title !== null && { name: title }),
    });
    this.#refreshSoon();
  }

  #add(name: string, send: (key: number) => void, isFile = false): number {
    const key = (this.#keys += 1);
    this.#again.set(key, () => send(key));
    const entry: Entry = { key, name, isFile, state: 'waiting', sent: 0 };
    // What waits to be sent, and what was refused, stays however much there is: it is known here alone.
    let left = maxKept;
    this.entries = [entry, ...this.entries].filter(({ state }) => state !== 'saved' || (left -= 1) >= 0);
    this.#tell();
    return key;
  }

  #change(key: number, change: Partial<Entry>): void {
    this.entries = this.entries.map((entry) => (entry.key === key ? { ...entry, ...change } : entry));
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

export function isUnderWay(item: Pick<ItemNews, 'status'> | undefined): boolean {
  return item === undefined || item.status === 'pending' || item.status === 'processing';
}

function nameOf({ url, text: note = '' }: Saving): string {
  return url ?? (note.trim().split('\n', 1)[0] ?? '').slice(0, 120);
}

/** What the text of the field is: addresses of pages, or a note. */
export type What =
  | { kind: 'nothing' }
  | { kind: 'pages'; addresses: string[] }
  | { kind: 'note'; text: string; words: number };

/** Tags and words that are saved with something. */
export interface About {
  tags: string[];
  notes: string;
}

const nothingMore: About = { tags: [], notes: '' };

/** Looks at lines, not at patterns within them: a text that only mentions an address is a note. */
export function whatIs(typed: string): What {
  const text = typed.trim();
  if (text === '') return { kind: 'nothing' };
  const lines = text.split('\n').map((line) => line.trim());
  const addresses = lines.filter((line) => line !== '').map(addressOf);
  if (addresses.every((address) => address !== null)) return { kind: 'pages', addresses };
  return { kind: 'note', text: typed, words: text.split(/\s+/).length };
}

/** An address as people paste or type it; null for everything else. */
function addressOf(line: string): string | null {
  if (/\s/.test(line)) return null;
  if (/^https?:\/\//i.test(line)) return URL.canParse(line) ? line : null;
  return /^[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[a-z]{2,24}(?:[/?#]|$)/i.test(line) ? `https://${line}` : null;
}

export function tagsOf(typed: string): string[] {
  return typed
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/**
 * Sends a file as it is, or a form with one. `fetch` does not tell how much was sent, so this is an `XMLHttpRequest`.
 * @param onSent told the share that was sent, from 0 to 1
 * @throws {CallError}
 */
export function sendFile<Answer>(
  path: string,
  body: Blob | FormData,
  formToken: string,
  onSent: (share: number) => void = () => undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.setRequestHeader('x-commonplace-form', formToken);
    if (body instanceof Blob) request.setRequestHeader('content-type', 'application/octet-stream');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total === 0 ? 0 : loaded / total));
    request.addEventListener('load', () => {
      const answer: unknown = request.response;
      if (request.status >= 200 && request.status < 300) resolve(answer as Answer);
      else reject(new CallError(wordsOf(answer ?? {}), request.status));
    });
    request.addEventListener('error', () => reject(new CallError('', 0)));
    request.send(body);
  });
}
