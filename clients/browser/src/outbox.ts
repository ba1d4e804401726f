import { CallError, connect, type Connection, type Why } from './connection.ts';
import type { Save } from './save.ts';

/*
 * Saves wait here, in their order, until the library has them. They are in the browser's database, and survive its end.
 */

const store = 'saves';
const alarm = 'send';

function database(): Promise<IDBDatabase> {
  const request = indexedDB.open('commonplace', 1);
  request.addEventListener('upgradeneeded', () =>
    request.result.createObjectStore(store, { keyPath: 'id', autoIncrement: true }),
  );
  return done(request);
}

function done<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser keeps nothing')));
  });
}

let opened: Promise<IDBDatabase> | undefined;

async function inStore<Result>(
  mode: IDBTransactionMode,
  run: (saves: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  opened ??= database();
  return done(run((await opened).transaction(store, mode).objectStore(store)));
}

/** @returns its place */
export function keep(save: Omit<Save, 'id'>): Promise<number> {
  return inStore('readwrite', (saves) => saves.add(save)) as Promise<number>;
}

export function waitingSaves(): Promise<Save[]> {
  return inStore('readonly', (saves) => saves.getAll()) as Promise<Save[]>;
}

/** One by one, because each may hold a large page. */
async function keptSave(id: number): Promise<Save | undefined> {
  return (await inStore('readonly', (saves) => saves.get(id))) as Save | undefined;
}

const keptIds = (): Promise<number[]> => inStore('readonly', (saves) => saves.getAllKeys()) as Promise<number[]>;

export async function discard(id: number): Promise<void> {
  await inStore('readwrite', (saves) => saves.delete(id));
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
    const left = await keptSave(id);
    if (left?.refused !== undefined) return { state: 'refused', message: left.refused };
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
    for (let ids = await keptIds(); ids.length > 0; ids = (await keptIds()).filter((id) => !tried.has(id))) {
      for (const id of ids) {
        tried.add(id);
        const save = await keptSave(id);
        if (save !== undefined && save.refused === undefined) await sendOne(connection, save);
      }
    }
  } catch (error) {
    problem = error instanceof CallError ? error : new CallError('unreachable', String(error));
  }
  await showCount(problem?.why);
  if (problem?.why === 'unreachable') await chrome.alarms.create(alarm, { delayInMinutes: 1, periodInMinutes: 5 });
  else await chrome.alarms.clear(alarm);
  return problem;
}

/** @throws {CallError} when it goes on waiting, and all after it */
async function sendOne(connection: Connection, save: Save): Promise<void> {
  try {
    const known = save.isHighlight ? (await connection.lookUp(save.url)).item : null;
    const { id } = known ?? (await connection.save(save));
    for (const quote of save.highlights) await connection.highlight(id, quote);
    sent.set(save.id, id);
    await inStore('readwrite', (saves) => saves.delete(save.id));
  } catch (error) {
    if (!(error instanceof CallError) || error.why !== 'refused') throw error;
    await inStore('readwrite', (saves) => saves.put({ ...save, refused: error.message }));
  }
}

/** Tries a refused save again. */
export async function retry(id: number): Promise<void> {
  const { refused: _, ...save } = (await keptSave(id)) ?? {};
  await inStore('readwrite', (saves) => saves.put(save));
  await send(id);
}

/** The number beside the button: what waits. */
export async function showCount(why?: Why): Promise<void> {
  const { length } = await keptIds();
  await chrome.action.setBadgeBackgroundColor({ color: why === 'unauthorized' ? '#b8412a' : '#1f5763' });
  await chrome.action.setBadgeText({ text: length === 0 ? '' : why === 'unauthorized' ? '!' : String(length) });
}

/** Sends what waits when the browser starts, is connected again, and every few minutes meanwhile. */
export function sendLater(): void {
  chrome.runtime.onStartup.addListener(() => void send());
  chrome.alarms.onAlarm.addListener(() => void send());
  self.addEventListener('online', () => void send());
}
