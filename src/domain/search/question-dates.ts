import { foldedWord, wordsOf } from '../text/words/words.ts';
import type { TimeSpan } from './dates.ts';

/*
 * Dates that a question names in words, in English and German: "in 2016", "from December 2025", "saved this week",
 * "letzte Woche". All are in UTC, and weeks begin on Monday.
 */

/** When what a question asks for was published and when it was saved, as far as the question says. */
export interface QuestionDates {
  published?: TimeSpan;
  saved?: TimeSpan;
}

const list = (words: string) => words.split(' ');

const monthNames = [
  'january jan januar janner',
  'february feb februar',
  'march mar marz',
  'april apr',
  'may mai',
  'june jun juni',
  'july jul juli',
  'august aug',
  'september sep sept',
  'october oct oktober okt',
  'november nov',
  'december dec dezember dez',
];
const months = new Map(monthNames.flatMap((names, month) => list(names).map((name) => [name, month] as const)));

/** A year counts after one of these or before the name of a text. A bare number is often something else. */
const beforeYear = new Set(list('in from of during year im aus von vom jahr jahre'));
const texts = new Set(
  list(
    'paper article post story report review study video talk episode book essay blog artikel beitrag bericht studie',
  ),
);
const savedWords = new Set(list('save saved saving added bookmarked kept gespeichert gemerkt abgelegt'));
const publishedWords = new Set(
  list('published written wrote posted released appeared recorded uploaded veroffentlicht geschrieben erschienen'),
);
const these = new Set(list('this diese diesen dieser dieses'));
const previous = new Set(list('last past previous letzte letzten letzter letztes vorige vorigen'));

/** In a question about the present ("libraries today") they say nothing of when something was saved. */
const days = new Set(list('today yesterday heute gestern'));

const dayMs = 86_400_000;

/**
 * Reads the dates of a question, at most one of publication and one of saving. A date belongs to the nearest word before
 * it that speaks of saving or publishing, or to the first one behind it. Without such a word, a year or a month by its
 * name is of publication, a week or a month counted from today is of saving, and "today" is not a date.
 */
export function datesIn(question: string, now: number): QuestionDates {
  const words = wordsOf(question).map(({ text }) => foldedWord(text));
  const dates: QuestionDates = {};
  for (const at of words.keys()) {
    const relative = relativeSpan(words, at, now);
    const span = relative?.span ?? namedSpan(words, at);
    if (span === null) continue;
    const said = kindSaid(words.slice(0, at).toReversed()) ?? kindSaid(words.slice(at));
    if (said === null && days.has(words[at] ?? '')) continue;
    dates[said ?? (relative?.isOfSaving === true ? 'saved' : 'published')] ??= span;
  }
  return dates;
}

function kindSaid(words: readonly string[]): keyof QuestionDates | null {
  const verb = words.find((word) => savedWords.has(word) || publishedWords.has(word));
  if (verb === undefined) return null;
  return savedWords.has(verb) ? 'saved' : 'published';
}

/** "December 2025", "December 5, 2025", "5. Dezember 2025", "in 2016", "the 2019 paper". */
function namedSpan(words: readonly string[], at: number): TimeSpan | null {
  const [word = '', next = '', afterNext = ''] = words.slice(at, at + 3);
  const month = months.get(word);
  if (month !== undefined) {
    const dayBefore = dayOf(words[at - 1]);
    const year = yearOf(next) ?? (dayOf(next) === null ? null : yearOf(afterNext));
    if (year === null) return null;
    const day = yearOf(next) === null ? dayOf(next) : dayBefore;
    return day === null
      ? { since: Date.UTC(year, month), before: Date.UTC(year, month + 1) }
      : { since: Date.UTC(year, month, day), before: Date.UTC(year, month, day + 1) };
  }
  const year = yearOf(word);
  if (year === null) return null;
  const isDate = beforeYear.has(words[at - 1] ?? '') || texts.has(next);
  return isDate ? { since: Date.UTC(year, 0), before: Date.UTC(year + 1, 0) } : null;
}

function relativeSpan(
  words: readonly string[],
  at: number,
  now: number,
): { span: TimeSpan; isOfSaving: boolean } | null {
  const [word = '', next = '', afterNext = ''] = words.slice(at, at + 3);
  const time = new Date(now);
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()];
  const today = Date.UTC(year, month, time.getUTCDate());
  const monday = today - ((time.getUTCDay() + 6) % 7) * dayMs;
  const of = (since: number, before: number, isOfSaving = true) => ({ span: { since, before }, isOfSaving });
  if (word === 'today' || word === 'heute') return of(today, today + dayMs);
  if (word === 'yesterday' || word === 'gestern') return of(today - dayMs, today);
  const isThis = these.has(word);
  const isLast = previous.has(word);
  if (!isThis && !isLast) return null;
  if (isLast && (next === 'few' || next === 'couple' || next === 'paar') && /^(?:days|tagen?)$/.test(afterNext))
    return of(today - 4 * dayMs, today + dayMs);
  if (isLast && (next === 'days' || next === 'tage' || next === 'tagen')) return of(today - 4 * dayMs, today + dayMs);
  if (next === 'week' || next === 'woche')
    return isThis ? of(monday, monday + 7 * dayMs) : of(monday - 7 * dayMs, monday);
  if (next === 'month' || next === 'monat')
    return isThis
      ? of(Date.UTC(year, month), Date.UTC(year, month + 1))
      : of(Date.UTC(year, month - 1), Date.UTC(year, month));
  if (next === 'year' || next === 'jahr')
    return isThis
      ? of(Date.UTC(year, 0), Date.UTC(year + 1, 0), false)
      : of(Date.UTC(year - 1, 0), Date.UTC(year, 0), false);
  return null;
}

/** A year in which something may have been published. */
function yearOf(word: string): number | null {
  return /^(?:1[89]|20)\d\d$/.test(word) ? Number(word) : null;
}

function dayOf(word: string | undefined): number | null {
  const [, day = ''] = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word ?? '') ?? [];
  return Number(day) >= 1 && Number(day) <= 31 ? Number(day) : null;
}
