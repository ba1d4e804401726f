import { expect, test } from 'vitest';
import { plainText } from '../../src/cli/terminal/look.ts';
import { exampleItem, exampleSummary } from '../../src/domain/records/examples.ts';
import { operations } from '../../src/operations/index.ts';
import { printItem, printItems, printSummary } from '../../src/operations/answers/print-item.ts';
import { indented, line, paragraphs, printList, prose } from '../../src/operations/answers/printed.ts';
import { weakHints } from '../../src/domain/search/match-floors.ts';
import { search } from '../../src/operations/search.ts';

/** The example answer of an operation as a pipe gets it. */
function printed(name: string): string {
  const operation = operations.find((one) => one.name === name);
  return plainText(operation?.cli?.print(operation.example.output as never) ?? []);
}

test('a search prints results, their passages and what was searched', () => {
  expect(printed('search')).toMatchInlineSnapshot(`
    "1. What helps to sleep  c_4kq7m2zt6wxp3ahr
       | Get up at the same hour every day, weekends included.
       https://example.com/articles/sleep#:~:text=Get%20up%20at%20the%20same%20hour%20every%20day

    Searched 41 items by words and meaning (1 still being processed)."
  `);
});

test('an item shows its facts, then each part under a title', () => {
  expect(printed('get_content')).toMatchInlineSnapshot(`
    "What helps to sleep

    id        c_4kq7m2zt6wxp3ahr
    url       https://example.com/articles/sleep
    status    completed
    type      article
    author    Ann Author
    site      Example
    published 2025-11-20
    language  en
    words     1240
    tags      health, sleep
    notes     Read again in spring
    shelf     inbox
    saved     2026-03-02 07:15 UTC

    Summary (extracted sentences)
      A steady hour of getting up does more for sleep than an early bedtime.

    Key insights
      • Get up at the same hour every day, weekends included.
        Serves your goal "Sleep eight hours": it speaks of hour, weekends.

    Action items
      [ ] Get up at the same hour every day  a_w5n3yq7c2gvk6tdb
          https://example.com/articles/sleep#:~:text=Get%20up%20at%20the%20same%20hour%20every%20day

    Text
      # What helps to sleep
      
      Most advice begins in the evening. …"
  `);
});

test('a list says which part of it is printed', () => {
  expect(printed('list_goals')).toMatchInlineSnapshot(`
    "g_2jxe6rmu4p7sfa3o  Sleep eight hours (Health)
        In bed by eleven on weekdays.
    1–1 of 1 goal"
  `);
  expect(printed('list_tags')).toMatchInlineSnapshot(`
    "    12  sleep
         7  health
    1–2 of 31 tags (--offset 2 for more)"
  `);
});

test('every line of prose has the indentation of its part', () => {
  expect(plainText(paragraphs([[line('one')], indented('  ', [prose('two\n\nthree', '| ')])]))).toBe(
    'one\n\n  | two\n  | \n  | three',
  );
});

test('a shortened link still has its whole address', () => {
  const url = `https://example.com/${'long/'.repeat(60)}`;
  const spans = printSummary({ ...exampleSummary, url }).flatMap((part) => ('spans' in part ? part.spans : []));
  const link = spans.find((span) => typeof span === 'object' && span.mark === 'link');
  expect(link).toMatchObject({ url });
  expect(plainText([line(...spans)])).not.toContain(url);
  expect(plainText(printSummary(exampleItem))).toContain(exampleItem.url);
});

test('a weak match still reports what was not understood', () => {
  const hint = `\`is:reed\` was taken for text. Did you mean is:read? ${weakHints.wordsAlone}`;
  const shown = plainText(
    search.cli?.print({ ...(search.example.output as object), match: 'weak', hint } as never) ?? [],
  );
  expect(shown).toContain(
    '`is:reed` was taken for text. Did you mean is:read? Nothing saved is close to this; these are only the nearest.\n',
  );
  expect(shown).not.toContain(weakHints.wordsAlone);
});

test('several items are separated, and omitted ones are named', () => {
  const item = { id: exampleItem.id, title: 'What helps to sleep' };
  const missing = { id: 'c_none', message: 'Not there.' };
  expect(plainText(printItems({ items: [{ ...item, nextCursor: 'abc' }, missing], left: ['c_left'] }))).toBe(
    `What helps to sleep

id        ${item.id}

More: commonplace show ${item.id} --cursor abc

────────────────────────────────────────

c_none: Not there.

Not shown: c_left (commonplace show c_left)`,
  );
});

test('an item shows its proposed tags and its lists', () => {
  const proposedTags = [{ tag: 'sleep', reason: 'like 7 items tagged sleep' }];
  const lists = [
    { id: 'l_1', name: 'To cook' },
    { id: 'l_2', name: 'Nights' },
  ];
  const shown = plainText(printItem({ ...exampleItem, proposedTags, lists }));
  expect(shown).toContain('\nproposed  sleep (like 7 items tagged sleep)\nlists     To cook, Nights\n');
  expect(plainText(printSummary({ ...exampleItem, proposedTags }))).toContain(
    '\n    proposed  sleep (like 7 items tagged sleep)',
  );
});

test('a line about an archived item says so', () => {
  expect(plainText(printSummary({ ...exampleSummary, shelf: 'archive' }))).toMatch(/ · archive$/m);
  expect(plainText(printSummary(exampleSummary))).not.toContain('inbox');
});

test('a list reports what was not understood in its query, also when it has items', () => {
  const list = { items: ['one'], total: 1, offset: 0, hint: '`or` was taken for text.' };
  expect(plainText(printList(list, 'item', (item) => [line(item)]))).toBe(
    'one\n`or` was taken for text.\n1–1 of 1 item',
  );
});
