import { CallError, connect, type Connection, type Why } from './connection.ts';
import type { PageContent } from './page/read-page.ts';
import type { Save } from './save.ts';

/*
 * Saves wait here, in their order, until the library has them. They are in the browser's database, and survive its end.
 */

const alarm = 'send';

function database(): Promise<IDBDatabase> {
  const request = indexedDB.open('outbox', 1);
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore('saves', { keyPath: 'id', autoIncrement: true });
    // Apart, because a list of saves is read often, and a page may be large.
    request.result.createObjectStore('contents');
  });
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser keeps nothing')));
  });
}

let opened: Promise<IDBDatabase> | undefined;

/** Runs one transaction. @returns the result of the request that `run` returns */
async function inStores<Result>(
  mode: IDBTransactionMode,
  run: (saves: IDBObjectStore, contents: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  opened ??= database();
  const transaction = (await opened).transaction(['saves', 'contents'], mode);
  const request = run(transaction.objectStore('saves'), transaction.objectStore('contents'));
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve(request.result));
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('the browser keeps nothing')));
  });
}

/** @returns its place */
export async function keep(save: Omit<Save, 'id' | 'refused'>, content: PageContent): Promise<number> {
  // Before it is sent: the browser may end this script in the middle of an upload.
  await sendAgainLater();
  return inStores('readwrite', (saves, contents) => {
    const added = saves.add({ ...save, refused: null });
    added.addEventListener('success', () => contents.add(content, added.result));
    return added;
  }) as Promise<number>;
}

/** Those that wait to be sent and those that were refused, in their order. */
export function keptSaves(): Promise<Save[]> {
  return inStores('readonly', (saves) => saves.getAll()) as Promise<Save[]>;
}

function remove(id: number): Promise<undefined> {
  return inStores('readwrite', (saves, contents) => {
    contents.delete(id);
    return saves.delete(id);
  });
}

/** @returns whether the save is still there */
async function setRefused(id: number, refused: string | null): Promise<boolean> {
  const found: unknown = await inStores('readwrite', (saves) => {
    const reading = saves.get(id) as IDBRequest<Save | undefined>;
    reading.addEventListener('success', () => {
      if (reading.result !== undefined) saves.put({ ...reading.result, refused });
    });
    return reading;
  });
  return found !== undefined;
}

export async function discard(id: number): Promise<void> {
  await remove(id);
  await showCount();
}

/** What became of a save. */
export type Fate =
  | { state: 'saved'; item: string }
  | { state: 'waiting'; why: Why; message: string }
  | { state: 'refused'; message: string };

const sent = new Map<number, string>();
let sending: Promise<CallError | null> | undefined;

/** Sends everything that waits, and says what became of one save. */
export async function send(id?: number): Promise<Fate | null> {
  for (;;) {
    const isOurs = sending === undefined;
    sending ??= sendAll().finally(() => (sending = undefined));
    const error = await sending;
    if (id === undefined) return null;
    const item = sent.get(id);
    if (item !== undefined) return { state: 'saved', item };
    const left = (await keptSaves()).find((save) => save.id === id);
    if (typeof left?.refused === 'string') return { state: 'refused', message: left.refused };
    if (error !== null) return { state: 'waiting', why: error.why, message: error.message };
    // It came while others were sent.
    if (isOurs || left === undefined) return { state: 'refused', message: 'It was discarded.' };
  }
}

async function sendAll(): Promise<CallError | null> {
  let problem: CallError | null = null;
  try {
    const connection = await connect();
    const tried = new Set<number>();
    const next = async () => (await waitingSaves()).find(({ id }) => !tried.has(id));
    for (let save = await next(); save !== undefined; save = await next()) {
      tried.add(save.id);
      await sendOne(connection, save);
    }
  } catch (error) {
    problem = error instanceof CallError ? error : new CallError('unreachable', messageOf(error));
  }
  await showCount(problem?.why);
  if (problem?.why === 'unauthorized' || (await waitingSaves()).length === 0) await chrome.alarms.clear(alarm);
  else await sendAgainLater();
  return problem;
}

async function waitingSaves(): Promise<Save[]> {
  return (await keptSaves()).filter(({ refused }) => refused === null);
}

/** @throws {CallError} when it goes on waiting, and all after it */
async function sendOne(connection: Connection, save: Save): Promise<void> {
  const content = (await inStores('readonly', (_, contents) => contents.get(save.id))) as PageContent | undefined;
  // It was discarded.
  if (content === undefined) return;
  try {
    const known = save.isHighlight ? (await connection.lookUp(save.url)).item : null;
    const { id } = known ?? (await connection.save(save, content));
    for (const quote of save.highlights) await connection.highlight(id, quote);
    sent.set(save.id, id);
    await remove(save.id);
  } catch (error) {
    if (error instanceof CallError && error.why !== 'refused') throw error;
    await setRefused(save.id, messageOf(error));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Tries a refused save again. */
export async function retry(id: number): Promise<void> {
  if (await setRefused(id, null)) await send(id);
}

async function sendAgainLater(): Promise<void> {
  // One that is there keeps its time.
  if ((await chrome.alarms.get(alarm)) === undefined)
    await chrome.alarms.create(alarm, { delayInMinutes: 1, periodInMinutes: 5 });
}

/** The number beside the button: what the library does not have yet. */
export async function showCount(why?: Why): Promise<void> {
  const { length } = await keptSaves();
  await chrome.action.setBadgeBackgroundColor({ color: why === 'unauthorized' ? '#b8412a' : '#1f5763' });
  await chrome.action.setBadgeText({ text: length === 0 ? '' : why === 'unauthorized' ? '!' : String(length) });
}

/** Sends what waits when the browser starts, is connected again, and every few minutes meanwhile. */
export function sendLater(): void {
  chrome.runtime.onStartup.addListener(() => void send());
  chrome.alarms.onAlarm.addListener(() => void send());
  self.addEventListener('online', () => void send());
}
