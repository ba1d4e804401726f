import { array, assert, constantFrom, option, property, record, string } from 'fast-check';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import type { ExportedAction, ExportedItem } from '../../../src/domain/records/transfers/exported.ts';
import { writerOf } from '../../../src/exporting/single-files.ts';

const action: ExportedAction = {
  id: 'a_w5n3yq7c2gvk6tdb',
  version: 1,
  goalId: 'g_2jxe6rmu4p7sfa3o',
  goalReason: null,
  title: 'Bleed the radiators, all; then close \\ the valve',
  reason: 'Air in them costs heat.',
  quote: 'Bleed the radiators.',
  start: 0,
  end: 20,
  locator: null,
  url: 'https://example.com/heating#:~:text=Bleed',
  state: 'open',
  touchedAt: null,
  completedAt: null,
  due: '2026-03-31',
  priority: 'high',
  snoozedUntil: '2026-03-20',
  createdAt: Date.UTC(2026, 2, 2, 7, 15, 11, 204),
  mergedInto: null,
};
const itemOf = (...actions: ExportedAction[]): ExportedItem =>
  ({ url: 'https://example.com/heating', title: 'Heating', actions }) as unknown as ExportedItem;
const goalTitle = (id: string) => (id === action.goalId ? 'Spend less, much less' : undefined);
const written = (format: 'ics' | 'todoist', ...actions: ExportedAction[]) => {
  const { head, item, foot } = writerOf(format);
  return head + item(itemOf(...actions), goalTitle, []) + foot;
};
const todosIn = (text: string) => new ICAL.Component(ICAL.parse(text) as unknown[]).getAllSubcomponents();
const valuesOf = (todo: ICAL.Component) =>
  todo.getAllProperties().map((one) => [one.name, String(one.getFirstValue())]);

test('an action is exported as a calendar task', () => {
  const [todo, ...others] = todosIn(written('ics', action));
  expect(others).toEqual([]);
  expect(todo?.name).toBe('vtodo');
  expect(valuesOf(todo!)).toEqual([
    ['uid', 'a_w5n3yq7c2gvk6tdb@commonplace'],
    ['dtstamp', '2026-03-02T07:15:11Z'],
    ['created', '2026-03-02T07:15:11Z'],
    ['summary', action.title],
    ['description', 'Air in them costs heat.\nBleed the radiators.\nHeating'],
    ['dtstart', '2026-03-20'],
    ['due', '2026-03-31'],
    ['priority', '1'],
    ['status', 'NEEDS-ACTION'],
    ['categories', 'Spend less, much less'],
    ['url', action.url],
  ]);
  expect(todo?.getFirstProperty('due')?.type).toBe('date');
});

test('a calendar has done and dismissed actions as tasks, but no merged ones', () => {
  const done = { ...action, state: 'done', completedAt: action.createdAt + 1_000, priority: 'low' } as const;
  const dismissed = { ...action, state: 'dismissed', due: null, snoozedUntil: null, goalId: null, url: null } as const;
  const todos = todosIn(written('ics', done, dismissed, { ...action, mergedInto: action.id })).map((todo) =>
    Object.fromEntries(valuesOf(todo)),
  );
  expect(todos).toEqual([
    expect.objectContaining({ status: 'COMPLETED', completed: '2026-03-02T07:15:12Z', priority: '9' }),
    expect.objectContaining({ status: 'CANCELLED', priority: '1', url: 'https://example.com/heating' }),
  ]);
  expect(todos[1]).not.toHaveProperty('due');
  // A todo does not begin after the day on which it is due.
  const late = written('ics', { ...action, snoozedUntil: '2026-04-02' });
  expect(late).not.toContain('DTSTART');
  expect(todosIn(late)[0]?.getFirstPropertyValue('description')).toMatch(/\nSnoozed until 2026-04-02$/);
});

const hostile = array(
  constantFrom(
    '\r\n',
    '\n',
    '\r',
    'END:VTODO',
    'BEGIN:VEVENT',
    'ATTENDEE:mailto:a@b',
    ';',
    ',',
    '\\',
    ':',
    '"',
    '\u2028',
    '\u0085',
    '\u0000',
    '\t',
    '=1+1',
    '😀',
    'é'.repeat(40),
    'words',
  ),
  { maxLength: 12 },
).map((parts) => parts.join(''));
const anyText = option(hostile, { nil: 'plain' }).chain((text) =>
  string({ unit: 'grapheme', maxLength: 90 }).map((more) => text + more),
);

test('texts cannot add a line or a field, no line is longer than 75 bytes, and no character is split', () => {
  assert(
    property(record({ title: anyText, reason: anyText, quote: anyText, url: anyText }), ({ url, ...texts }) => {
      const text = written('ics', { ...action, ...texts, url: `https://example.com/${url}` });
      const lines = text.split(/[\r\n\u0085\u2028\u2029\v\f]+/);
      for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(text).not.toContain('\ufffd');
      const [todo, ...others] = todosIn(text);
      expect(others).toEqual([]);
      const names = valuesOf(todo!).map(([name]) => name);
      expect(names.filter((name) => name !== 'description')).toEqual(
        'uid dtstamp created summary dtstart due priority status categories url'.split(' '),
      );
      const said = (words: string) => words.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
      expect(said(String(todo?.getFirstPropertyValue('summary')))).toBe(said(texts.title));
      expect(todo?.getFirstPropertyValue('uid')).toBe(`${action.id}@commonplace`);
      // Unfolded, every field begins a line once.
      const fields = text.replaceAll('\r\n ', '').split('\r\n');
      expect(fields.filter((line) => line.startsWith('BEGIN:'))).toEqual(['BEGIN:VCALENDAR', 'BEGIN:VTODO']);
    }),
  );
});

test('an open action is a Todoist task, and no cell is a formula', () => {
  const formula = {
    ...action,
    title: '=HYPERLINK("https://evil.example")',
    priority: 'normal',
    due: null,
    snoozedUntil: null,
  } as const;
  const snoozed = { ...action, due: null };
  const text = written(
    'todoist',
    action,
    formula,
    snoozed,
    { ...action, state: 'done' },
    { ...action, mergedInto: action.id },
  );
  expect(text.split('\r\n')).toEqual([
    'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE',
    `task,"${action.title}","Air in them costs heat.\nBleed the radiators.\nHeating\n${action.url}",1,1,,,2026-03-31,en,`,
    `task,"'=HYPERLINK(""https://evil.example"")","Air in them costs heat.\nBleed the radiators.\nHeating\n${action.url}",3,1,,,,,`,
    `task,"${action.title}","Air in them costs heat.\nBleed the radiators.\nHeating\n${action.url}",1,1,,,2026-03-20,en,`,
    '',
  ]);
});
