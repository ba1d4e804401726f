import type { ExportedAction, ExportedItem } from '../domain/records/transfers/exported.ts';
import { csvRow } from './csv-row.ts';
import { oneLine, safeLink } from './markdown.ts';

/*
 * Action items as files for calendars and for Todoist.
 */

/** Every action is written once: a merged one belongs to another item. */
export const ownActions = ({ actions }: ExportedItem): ExportedAction[] =>
  actions.filter(({ mergedInto }) => mergedInto === null);
export const openActions = (item: ExportedItem): ExportedAction[] =>
  ownActions(item).filter(({ state }) => state === 'open');

/** Why it is worth doing, the sentence that it came from, and where. */
function detailsOf(action: ExportedAction, item: ExportedItem): string[] {
  const said = [action.reason, action.quote, item.title].filter((text) => text !== null).map(oneLine);
  return [...new Set(said)].filter((text) => text !== '' && text !== action.title);
}

const addressOf = (action: ExportedAction, item: ExportedItem): string | null =>
  safeLink(action.url) ?? safeLink(item.url);

/** One `VTODO` of iCalendar (RFC 5545) for each action. */
export function calendarTodos(item: ExportedItem, goalTitle: (id: string) => string | undefined): string {
  return ownActions(item)
    .map((action) => {
      const { id, title, state, due, snoozedUntil, goalId, createdAt, completedAt, touchedAt } = action;
      const goal = goalTitle(goalId ?? '');
      const url = addressOf(action, item);
      const details = detailsOf(action, item);
      // A todo begins before the day on which it is due. What is snoozed for longer says so in words.
      const begins = snoozedUntil && (!due || snoozedUntil < due);
      if (snoozedUntil && !begins) details.push(`Snoozed until ${snoozedUntil}`);
      return [
        'BEGIN:VTODO',
        `UID:${id}@commonplace`,
        `DTSTAMP:${timeOf(touchedAt ?? createdAt)}`,
        `CREATED:${timeOf(createdAt)}`,
        `SUMMARY:${escaped(oneLine(title))}`,
        ...(details.length === 0 ? [] : [`DESCRIPTION:${escaped(details.join('\n'))}`]),
        ...(begins ? [`DTSTART;VALUE=DATE:${snoozedUntil.replaceAll('-', '')}`] : []),
        ...(due ? [`DUE;VALUE=DATE:${due.replaceAll('-', '')}`] : []),
        `PRIORITY:${{ high: 1, normal: 5, low: 9 }[action.priority]}`,
        `STATUS:${{ open: 'NEEDS-ACTION', done: 'COMPLETED', dismissed: 'CANCELLED' }[state]}`,
        ...(completedAt === null ? [] : [`COMPLETED:${timeOf(completedAt)}`]),
        ...(goal === undefined ? [] : [`CATEGORIES:${escaped(oneLine(goal))}`]),
        ...(url === null ? [] : [`URL:${withoutControls(url, '')}`]),
        'END:VTODO',
      ];
    })
    .flat()
    .map(folded)
    .join('');
}

export const calendarHead = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Commonplace//Action items//EN\r\n';
export const calendarFoot = 'END:VCALENDAR\r\n';

const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** Some readers take these for the end of a line. */
const withoutControls = (text: string, by: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, by);

/** A text as a value: nothing of it ends the line or begins another value. */
const escaped = (text: string): string =>
  text
    .split('\n')
    .map((line) => withoutControls(line, ' ').replaceAll(/[\\;,]/g, String.raw`\$&`))
    .join(String.raw`\n`);

const maxLineBytes = 75;

/** A line, continued on further ones where it is longer than 75 bytes; no character is divided. */
function folded(line: string): string {
  let text = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > maxLineBytes) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += size;
  }
  return `${text}\r\n`;
}

export const todoistHead = csvRow(
  'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE'.split(','),
);

/** One task of Todoist for each open action (https://www.todoist.com/help/articles/format-a-csv-file-to-import-into-todoist-UVUXVMo4). */
export function todoistTasks(item: ExportedItem): string {
  return openActions(item)
    .map((action) => {
      const { title, due, snoozedUntil, priority } = action;
      const details = [...detailsOf(action, item), addressOf(action, item) ?? ''].filter(Boolean);
      const level = { high: '1', normal: '3', low: '4' }[priority];
      const day = due ?? snoozedUntil;
      const date = day ? [day, 'en'] : ['', ''];
      return csvRow(['task', oneLine(title), details.join('\n'), level, '1', '', '', ...date, '']);
    })
    .join('');
}
