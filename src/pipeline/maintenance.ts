import { setImmediate } from 'node:timers/promises';
import type { PlaceQuotes } from '../domain/records/highlights/highlight-words.ts';
import type { FindTasks, MatchGoals } from './text-worker/text-worker-pool.ts';
import type { Store } from '../store/store.ts';
import { utcDay } from '../domain/clock.ts';
import { ProcessingError } from '../errors.ts';
import type { NotesDue, ToLink } from '../store/records/analysis-records.ts';
import type { Surroundings } from '../models/analysis/extractive/index.ts';
import type { HighlightsToPlace } from '../store/records.ts';

/** Items purged in one write: a long book takes some hundred milliseconds, and other writes wait meanwhile. */
const purgedAtOnce = 4;
/** Steps of some 50 ms before other accounts get their turn: after an update, a large account has thousands. */
const maxSteps = 50;

interface MaintenanceTexts {
  findTasks: FindTasks;
  matchGoals: MatchGoals;
  placeQuotes: PlaceQuotes;
}

/** An account's maintenance. It may be killed at any time; the rest is done the next time. */
export async function doMaintenance(store: Store, texts: MaintenanceTexts, signal: AbortSignal): Promise<void> {
  while ((await store.purgeExpired(purgedAtOnce)) === purgedAtOnce) {
    await setImmediate();
    signal.throwIfAborted();
  }
  // Before they are linked to goals.
  await findNoteTasks(store, texts.findTasks, signal);
  await linkToGoals(store, texts.matchGoals, signal);
  await placeHighlights(store, texts.placeQuotes, signal);
  for (let step = 0; step < maxSteps && (await store.maintain()); step += 1) {
    await setImmediate();
    signal.throwIfAborted();
  }
}

const readAtOnce = 20;
/** Reads before other accounts get their turn: an import may have thousands of notes. */
const maxReads = 50;

/** Makes the tasks in notes actions. The store knows which notes changed, so a killed process continues. */
async function findNoteTasks(store: Store, findTasks: FindTasks, signal: AbortSignal): Promise<void> {
  for (let read = 0; read < maxReads; read += 1) {
    const due = await store.listNotesDue(readAtOnce);
    if (due.length === 0) return;
    // An item that somebody changes meanwhile is read again in the next round.
    for (const item of due) await store.keepNoteTasks(item, await tasksOf(item, findTasks, signal, store.accountId));
    await setImmediate();
    signal.throwIfAborted();
  }
}

/** Nothing where the work takes too long: a second try would take as long. */
async function orNone<T>(work: Promise<T[]>): Promise<T[]> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProcessingError && !error.retryable) return [];
    throw error;
  }
}

async function tasksOf(
  { notes, language, updatedAt }: NotesDue,
  findTasks: FindTasks,
  signal: AbortSignal,
  accountId: string,
): ReturnType<FindTasks> {
  return notes.length === 0 ? [] : orNone(findTasks(notes, language, utcDay(updatedAt), signal, accountId));
}

const linkedAtOnce = 50;
/** Writes before other accounts get their turn: a large library has thousands of insights. */
const maxWrites = 20;

/** Finds goals again after goals changed. The store knows what is due, so a killed process continues. */
export async function linkToGoals(store: Store, matchGoals: MatchGoals, signal: AbortSignal): Promise<void> {
  for (let write = 0; write < maxWrites; write += 1) {
    const { goalsVersion, goals, due } = await store.listLinksDue(linkedAtOnce);
    if (due.length === 0) return;
    const matched = await matchGoals(goals, due.map(surroundingsOf), signal, store.accountId);
    const links = due.map(({ of }, n) => ({ of, goalId: null, reason: null, ...matched[n] }));
    // If the goals have changed again meanwhile, nothing is stored and the next round uses the new goals.
    await store.keepGoalLinks(goalsVersion, links);
    await setImmediate();
    signal.throwIfAborted();
  }
}

/** The context that an analyst sees of a sentence, as its passage tells it. */
function surroundingsOf({ of, text, documentTitle, headingPath, language }: ToLink): Surroundings {
  return {
    instruction: text,
    subject: [documentTitle, headingPath.at(-1)].filter(Boolean).join('. '),
    isForeign: language !== null && !/^en\b/i.test(language),
    isInsight: !('actionId' in of),
  };
}

const placedAtOnce = 100;

/** Looks for highlights that are due, in texts new to them. @param contentId only of this item */
export async function placeHighlights(
  store: Store,
  placeQuotes: PlaceQuotes,
  signal: AbortSignal,
  contentId?: string,
): Promise<void> {
  for (;;) {
    const due = await store.nextHighlightsToPlace(placedAtOnce, contentId);
    if (due === null) return;
    const places = await placesOf(due, placeQuotes, signal, store.accountId);
    signal.throwIfAborted();
    await store.keepHighlightPlaces(
      due.contentId,
      due.documentId,
      due.highlights.map((highlight, n) => ({ ...highlight, place: places[n] ?? null })),
    );
    await setImmediate();
    signal.throwIfAborted();
  }
}

async function placesOf(
  { highlights, transcript, item }: HighlightsToPlace,
  placeQuotes: PlaceQuotes,
  signal: AbortSignal,
  accountId: string,
): ReturnType<PlaceQuotes> {
  const quotes = highlights.map(({ quote }) => quote);
  return orNone(placeQuotes(quotes, transcript, item, signal, accountId));
}
