import { expect, it } from 'vitest';
import { saysMore } from '../../../web/reading/inline.ts';
import { markdownOf } from '../../../web/items/item-facts.ts';
import { text } from '../../../web/text.ts';

it('a failure says what can be done on the page, not on the command line', () => {
  expect(text.problems.words('It ended. It was given up after 3 attempts; `commonplace retry` tries again.')).toBe(
    'It ended. It was given up after 3 attempts. Try again when it may help.',
  );
  expect(text.problems.words('Private. Open it in your browser and save it again together with its text.')).toBe(
    'Private. Open it in your browser and paste its text here.',
  );
  expect(text.problems.words('Too long. The extract stays. Run `commonplace reprocess <id>`.')).toBe(
    'Too long. The extract stays.',
  );
  expect(text.library.progress('processing', 'fetch', null)).toBe('Being read…');
  expect(text.library.progress('pending', 'fetch', 'https://example.com/')).toBe('Waiting for its turn');
});

it('a sentence is shown only where it says more than the title', () => {
  expect(saysMore('Dim the lamps two hours before bed.', 'Dim the lamps two hours before bed')).toBe(false);
  expect(saysMore('So dim the lamps two hours before bed.', 'Dim the lamps two hours before bed')).toBe(false);
  expect(saysMore('Dim the lamps two hours before bed, because light keeps you awake.', 'Dim the lamps')).toBe(true);
  expect(saysMore('', 'Dim the lamps')).toBe(false);
});

it('items are copied as Markdown that no title or address can break', () => {
  const origin = 'https://library.example';
  const item = {
    id: 'c_1',
    title: 'Bees [and](javascript:x) others',
    url: 'https://example.com/a_(b)',
    tags: [],
    author: 'Ann',
    publishedAt: '2026-03-02T00:00:00.000Z',
    summary: 'One.\nTwo.',
  };
  const cited = String.raw`Ann, [Bees \[and\](javascript:x) others](https://example.com/a_%28b%29), 2 Mar 2026`;
  expect(markdownOf([item], '', origin)).toBe(`> One.\n> Two.\n\n— ${cited}`);
  expect(markdownOf([item], ' Their words ', origin)).toBe(`> Their words\n\n— ${cited}`);
  expect(markdownOf([item, item], '', origin)).toBe(`- ${cited}\n- ${cited}`);
  expect(markdownOf([{ id: 'c_2', title: 'Boiler', url: null, tags: [] }], '', origin)).toBe(
    '[Boiler](https://library.example/app/read/c_2)',
  );
  const hostile = '<img src=//evil.example> ![`](//evil.example)';
  const bare = String.raw`\<img src=//evil.example> !\[\`\](//evil.example)`;
  expect(markdownOf([{ id: 'c_3', title: hostile, url: null, tags: [], author: hostile }], hostile, origin)).toBe(
    `> ${bare}\n\n— ${bare}, [${bare}](https://library.example/app/read/c_3)`,
  );
});
