import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentTypes } from '../../../src/domain/records/item.ts';
import { allOf, anyOf, type Filter, maxQueryLength } from '../../../src/domain/search/filter.ts';
import { completionsOf } from '../../../src/domain/search/operators.ts';
import { addressesIn, isListing, type ParsedQuery, parseQuery } from '../../../src/domain/search/query-language.ts';
import { forAll } from '../../support/for-all.ts';

const day = (date: string) => Date.parse(`${date}T00:00:00Z`);
const now = Date.parse('2026-11-30T12:00:00Z');

/** Without what is empty, the condition for lists, and the words that are wanted. */
const parsed = (query: string): Partial<ParsedQuery> => {
  const { condition: _, wanted: __, ...rest } = parseQuery(query, now);
  const given = Object.entries(rest).filter(
    ([name, value]) => name === 'text' || (Array.isArray(value) ? value.length > 0 : value !== null),
  );
  return Object.fromEntries(given);
};
const filterOf = (query: string): Filter | null => {
  const { text, filter, hints } = parseQuery(query, now);
  expect([query, text, hints]).toEqual([query, '', []]);
  return filter;
};

describe('the query language', () => {
  it.each<[string, Partial<ParsedQuery>]>([
    ['how to  sleep better?', { text: 'how to sleep better?' }],
    ['"deep sleep"', { text: 'deep sleep', phrases: ['deep sleep'] }],
    [
      '"deep sleep" type:pdf -tea',
      { text: 'deep sleep', phrases: ['deep sleep'], filter: { type: 'pdf' }, excluded: ['tea'] },
    ],
    ['“deep sleep”?', { text: 'deep sleep?', phrases: ['deep sleep'] }],
    ['("deep sleep")', { text: 'deep sleep', phrases: ['deep sleep'] }],
    ['"deep sleep" caffeine', { text: 'deep sleep caffeine', preferredPhrases: ['deep sleep'] }],
    ['caffeine “deep sleep”, tea', { text: 'caffeine deep sleep, tea', preferredPhrases: ['deep sleep'] }],
    [
      'who said "deep sleep" and "tea"?',
      { text: 'who said deep sleep and tea?', preferredPhrases: ['deep sleep', 'tea'] },
    ],
    ['„tiefer Schlaf“ «bon sommeil»', { text: 'tiefer Schlaf bon sommeil', phrases: ['tiefer Schlaf', 'bon sommeil'] }],
    ['jaguar -car', { text: 'jaguar', excluded: ['car'] }],
    ['jaguar -"sports car" cat', { text: 'jaguar cat', excluded: ['sports car'] }],
    ['jaguar -well-known', { text: 'jaguar', excluded: ['well-known'] }],
    ['-(coffee OR "green tea") milk', { text: 'milk', excluded: ['coffee', 'green tea'] }],
    ['-(coffee tea) milk', { text: 'milk', filter: { not: { all: [{ word: 'coffee' }, { word: 'tea' }] } } }],
    ['boiler -tag:house', { text: 'boiler', filter: { not: { tag: 'house' } } }],
    ['tag:a "b c" tag:a "b c" -d -d', { text: 'b c b c', filter: { tag: 'a' }, phrases: ['b c'], excluded: ['d'] }],
    ['coffee OR tea', { text: 'coffee tea' }],
    ['咖啡 OR 茶', { text: '咖啡 茶' }],
    ['(coffee OR tea)', { text: 'coffee tea', filter: { any: [{ word: 'coffee' }, { word: 'tea' }] } }],
    [
      'coffee OR tea -milk',
      { text: 'coffee tea', filter: { any: [{ word: 'coffee' }, { word: 'tea' }] }, excluded: ['milk'] },
    ],
    ['-("2024" OR "2023") x', { text: 'x', excluded: ['2024', '2023'] }],
    ['-( tea) x', { text: 'x', excluded: ['tea'] }],
    ['Portland, OR 97201 type:pdf', { text: 'Portland, OR 97201', filter: { type: 'pdf' } }],
    [
      'cup coffee OR "green tea" OR milk hot',
      {
        text: 'cup coffee green tea milk hot',
        filter: { any: [{ word: 'coffee' }, { word: 'green tea' }, { word: 'milk' }] },
      },
    ],
    [
      'heating (tag:a OR (tag:b -type:pdf))',
      {
        text: 'heating',
        filter: { any: [{ tag: 'a' }, { all: [{ tag: 'b' }, { not: { type: 'pdf' } }] }] },
      },
    ],
    ['what is REST (and SOAP)?', { text: 'what is REST (and SOAP)?' }],
    ['f(x) and (tag:a)', { text: 'f(x) and', filter: { tag: 'a' } }],
    ['(((tag:a)))', { text: '', filter: { tag: 'a' } }],
  ])('reads %j', (query, expected) => {
    expect(parsed(query)).toEqual(expected);
  });

  it.each<[string, Filter]>([
    ['tag:health tag:"to read"', { all: [{ tag: 'health' }, { tag: 'to read' }] }],
    ['tag:hou*', { tag: 'hou*' }],
    ['-tag:*', { not: { tag: '*' } }],
    ['type:PDF type:youtube', { any: [{ type: 'pdf' }, { type: 'youtube' }] }],
    ['site:blog.example.com', { site: 'blog.example.com' }],
    ['Site:https://www.Example.com/a/b/', { site: 'www.example.com/a/b' }],
    ['site:пример.example site:youtube', { any: [{ site: 'xn--e1afmkfd.example' }, { site: 'youtube' }] }],
    ['author:"Ann Lee" author:lee', { all: [{ author: 'Ann Lee' }, { author: 'lee' }] }],
    ['lang:DE', { lang: 'de' }],
    ['is:unread is:later', { all: [{ read: false }, { shelf: 'later' }] }],
    ['is:inbox is:later', { any: [{ shelf: 'inbox' }, { shelf: 'later' }] }],
    ['is:Archive', { shelf: 'archive' }],
    ['is:archived is:read', { all: [{ shelf: 'archive' }, { read: true }] }],
    ['is:highlighted is:noted is:failed', { all: [{ has: 'highlight' }, { has: 'note' }, { failed: true }] }],
    ['has:action -has:picture', { all: [{ has: 'action' }, { not: { has: 'picture' } }] }],
    ['saved:2024-12', { saved: { since: day('2024-12-01'), before: day('2025-01-01') } }],
    ['saved:2026-01..2026-03', { saved: { since: day('2026-01-01'), before: day('2026-04-01') } }],
    ['saved:2026-01..', { saved: { since: day('2026-01-01') } }],
    ['published:..2026-01', { published: { before: day('2026-02-01') } }],
    ['published:>2025', { published: { since: day('2026-01-01') } }],
    ['published:>=2025', { published: { since: day('2025-01-01') } }],
    ['published:<2025', { published: { before: day('2025-01-01') } }],
    ['published:<=2025', { published: { before: day('2026-01-01') } }],
    ['read:this-week', { readAt: { since: day('2026-11-30'), before: day('2026-12-07') } }],
    ['read:yesterday', { readAt: { since: day('2026-11-29'), before: day('2026-11-30') } }],
    ['saved:last-year', { saved: { since: day('2025-01-01'), before: day('2026-01-01') } }],
    [
      'after:2024 before:2025',
      { all: [{ published: { since: day('2024-01-01') } }, { published: { before: day('2025-01-01') } }] },
    ],
    ['-before:2024', { not: { published: { before: day('2024-01-01') } } }],
    [
      'savedafter:2024 savedbefore:2025-06',
      { all: [{ saved: { since: day('2024-01-01') } }, { saved: { before: day('2025-06-01') } }] },
    ],
    ['words:>1000', { words: { atLeast: 1001 } }],
    ['words:500..2000', { words: { atLeast: 500, atMost: 2000 } }],
    ['words:<=300', { words: { atMost: 300 } }],
    ['words:12', { words: { atLeast: 12, atMost: 12 } }],
    ['goal:"sleep better" list:Kitchen', { all: [{ goal: 'sleep better' }, { list: 'Kitchen' }] }],
    ['id:c_4kq7m2zt6wxp3ahr', { id: 'c_4kq7m2zt6wxp3ahr' }],
    ['tag:a OR tag:b type:pdf', { all: [{ any: [{ tag: 'a' }, { tag: 'b' }] }, { type: 'pdf' }] }],
    ['-(tag:a OR tag:b)', { not: { any: [{ tag: 'a' }, { tag: 'b' }] } }],
    ['-(-tag:a)', { not: { not: { tag: 'a' } } }],
  ])('filters by %j', (query, expected) => {
    expect(filterOf(query)).toEqual(expected);
  });

  it.each([
    'C++ and C#',
    "what's new",
    'foo:bar',
    '"',
    'a lone " mark',
    '"never closed',
    '27" monitor, 32" screen',
    '""',
    '"..." why',
    '-',
    'a - b',
    'well-known',
    '-111',
    'error -0.5',
    '--force',
    'mysite:example.com',
    'std::vector http://example.com/a',
    '()',
    ':( and :)',
    '(a tag, an opening',
    'a closing) b',
    'f(x) = g(y)',
    'OR',
    'OR b',
    'a OR',
    'either OR *',
    'title:fox NEAR(a b) OR *',
    'a or b',
    'SHOULD I TAKE VITAMIN D OR MAGNESIUM',
    'Portland, OR 97201 hiking',
    'error -(5 bis 10) Grad',
    'tag:"never closed',
  ])('reads %j as text without a hint', (query) => {
    expect(parsed(query)).toEqual({ text: query });
  });

  it.each([
    ['type:unknownthing', '`type:unknownthing` was taken for text. `type:` takes youtube, article, '],
    ['type:vidoe', 'Did you mean type:video?'],
    ['is:unraed', 'Did you mean is:unread?'],
    ['-is:done', '`is:` takes inbox, later, archived, read, unread, failed, highlighted, noted.'],
    ['type: pdf', '`type:` without a value behind it was taken for text.'],
    ['tag:a,b', '`tag:` takes one tag'],
    ['site:???', '`site:` takes a host'],
    ['site:me@example.com', '`site:` takes a host'],
    ['site:2024', '`site:` takes a host'],
    ['before:christmas', '`before:` takes a year, a month or a day'],
    ['after:2024-13', '`after:` takes'],
    ['after:2023-02-29', '`after:` takes'],
    ['saved:2026-03..2026-01', '`saved:` takes a date or a range'],
    ['saved:2026..tomorrow', '`saved:` takes'],
    ['words:many', '`words:` takes a number or a range'],
    ['lang:german', '`lang:` takes the code of a language'],
    ['tga:house', '`tga:house` was taken for text. Did you mean tag:house?'],
    ['sites:example.com', 'Did you mean site:example.com?'],
    ['wrods:>5', 'Did you mean words:>5?'],
    ['si:read', 'Did you mean is:read?'],
    ['shelf:later', 'Did you mean is:later?'],
    ['kind:pdf', 'Did you mean type:pdf?'],
    ['language:de', 'Did you mean lang:de?'],
    ['coffee NOT tea', '-word excludes'],
  ])('reads %j as text and suggests what may have been meant', (query, hint) => {
    const { text, hints, filter } = parseQuery(query, now);
    expect([text, filter, hints.length]).toEqual([query, null, 1]);
    expect(hints[0]).toContain(hint);
  });

  it.each([
    ['tag:house AND type:pdf', ['`AND` was taken for text. Conditions side by side must all match: leave AND out.']],
    ['coffee AND type:pdf', ['`AND` was taken for text. Conditions side by side must all match: leave AND out.']],
    ['tag:house or type:pdf', ['`or` was taken for text. Write OR in capitals.']],
    ['tag:house NOT type:pdf', ['`NOT` was taken for text. -word excludes.']],
    ['coffee or type:pdf', []],
    ['coffee AND milk', []],
    ['COFFEE AND TEA, NOT MILK', []],
  ])('explains the operators when other words are used for them: %j', (query, hints) => {
    expect(parseQuery(query, now).hints).toEqual(hints);
  });

  it.each([
    ['bread OR zebra', ''],
    ['sourdough (bread OR "zebra cake") rye', 'sourdough rye'],
    ['bread zebra', undefined],
    ['bread (tag:a OR tag:b)', undefined],
  ])('distinguishes alternatives from required words: %j', (query, wanted) => {
    expect(parseQuery(query, now).wanted).toBe(wanted);
  });

  it('lists the matches when there are no words to rank by', () => {
    for (const query of ['tag:health', 'after:2024', '-draft type:pdf', '(tag:a OR tag:b)']) {
      expect(isListing(parseQuery(query, now)), query).toBe(true);
    }
    for (const query of ['', ' ', 'sleep tag:health', '"deep sleep"', '-111', 'a OR tag:b']) {
      expect(isListing(parseQuery(query, now)), query).toBe(false);
    }
  });

  it('turns every word into a condition for lists', () => {
    expect(parseQuery('deep sleep, "green tea" -coffee (tag:a OR b)', now).condition).toEqual({
      all: [
        { word: 'deep' },
        { word: 'sleep,' },
        { word: 'green tea' },
        { not: { word: 'coffee' } },
        { any: [{ tag: 'a' }, { word: 'b' }] },
      ],
    });
    expect(parseQuery('a OR b', now).condition).toEqual({ any: [{ word: 'a' }, { word: 'b' }] });
    expect(parseQuery('→ *', now).condition).toBeNull();
    expect(parseQuery('word '.repeat(51), now).condition).toBeNull();
  });

  it('reads everything after fifty operators as text', () => {
    const { filter, text, hints } = parseQuery(Array.from({ length: 60 }, (_, at) => `tag:t${at}`).join(' '), now);
    expect(filter).toMatchObject({ all: { length: 50 } });
    expect(text.split(' ')).toHaveLength(10);
    expect(hints).toEqual(['Only the first 50 operators count; the rest is text.']);
  });

  it('reads a long pasted text as text', () => {
    const long = `tag:a ${'x'.repeat(maxQueryLength)}`;
    expect(parsed(long)).toEqual({ text: long });
  });

  it.each([
    '(',
    '( ',
    '-(',
    '-( ',
    '-(1 ',
    '((((a ',
    ')',
    '() ',
    'a OR ',
    '(tag:a OR ',
    '"',
    '"a ',
    '"a" ',
    '-"a"',
    'tag:"',
    'tag: ',
    'tga:x ',
    '-',
    ':',
  ])('reads 10,000 of %j quickly', (part) => {
    const started = performance.now();
    for (const length of [maxQueryLength, 10_000 * part.length]) {
      const { text, filter } = parseQuery(part.repeat(Math.ceil(length / part.length)).slice(0, length), now);
      expect(text.length).toBeLessThanOrEqual(length);
      expect(JSON.stringify(filter).length).toBeLessThan(10_000);
    }
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it.each([
    [' https://Example.com/a?utm_source=x#part ', ['https://example.com/a', 'http://example.com/a']],
    ['<http://example.com>', ['https://example.com/', 'http://example.com/']],
    ['http://127.0.0.1:8080/a', ['https://127.0.0.1:8080/a', 'http://127.0.0.1:8080/a']],
    ['youtu.be/aaaaaaaaaaa', Array.from({ length: 2 }, () => 'https://www.youtube.com/watch?v=aaaaaaaaaaa')],
  ])('recognises %j as an address', (query, addresses) => {
    expect(addressesIn(query)).toEqual(addresses);
  });

  it.each([
    'example.com',
    'see https://example.com/a',
    'v1.2/3',
    'a/b',
    'me@example.com/x',
    '/etc/passwd',
    'https://',
    '1.5/2',
  ])('does not recognise %j as an address', (query) => {
    expect(addressesIn(query)).toEqual([]);
  });

  it('reads any text, and returns text without operator characters unchanged', () => {
    const signs = fc.constantFrom('"', '-', '(', ')', ' ', ':', 'OR', 'tag:', 'is:', '..', 'saved:2024', '*', 'a');
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(signs).map((some) => some.join('')),
    );
    forAll(text, (query) => {
      expect(parseQuery(query, now).text.isWellFormed()).toBe(true);
      const plain = query.replaceAll(/["“”„«»:()-]|\bOR\b/g, '');
      expect(parsed(plain)).toEqual({ text: plain.toWellFormed().replaceAll(/\s+/g, ' ').trim() });
    });
  });

  it('reads back every filter that it prints', () => {
    forAll(filters, (filter) => {
      const query = printed(filter);
      fc.pre(query.length <= maxQueryLength && (query.match(/[:(]|OR/g) ?? []).length <= 50);
      const once = parseQuery(query, now);
      expect([query, once.hints]).toEqual([query, []]);
      const again = once.condition === null ? null : parseQuery(printed(once.condition), now).condition;
      expect(again).toEqual(once.condition);
    });
  });
});

const word = fc.stringMatching(/^[a-zäß]{1,8}$/).filter((text) => !text.includes('or'));
const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.tuple(word, fc.constantFrom('', '*', ' b')).map(([tag, end]) => ({ tag: tag + end })),
  fc.constantFrom(...contentTypes).map((type) => ({ type })),
  fc.constantFrom('example.com', 'example.com/blog', 'youtube').map((site) => ({ site })),
  word.map((author) => ({ author })),
  word.map((list) => ({ list })),
  word.map((text) => ({ word: text })),
  fc.constantFrom('en', 'pt-br').map((lang) => ({ lang })),
  fc.constantFrom('inbox' as const, 'later' as const, 'archive' as const).map((shelf) => ({ shelf })),
  fc.boolean().map((read) => ({ read })),
  fc.constant({ failed: true as const }),
  fc.constantFrom('action' as const, 'picture' as const).map((has) => ({ has })),
  fc.tuple(fc.nat(900), fc.nat(900)).map(([atLeast, more]) => ({ words: { atLeast, atMost: atLeast + more } })),
  fc.tuple(fc.nat(900), fc.nat(900)).map(([from, more]) => ({
    saved: { since: from * 86_400_000, before: (from + more + 1) * 86_400_000 },
  })),
);
const { filters } = fc.letrec<{ filters: Filter }>((tie) => ({
  filters: fc.oneof(
    { depthSize: 'small' },
    leaf,
    tie('filters').map((not) => ({ not })),
    fc.array(tie('filters'), { minLength: 1, maxLength: 4 }).map((some) => allOf(...some)!),
    fc.array(tie('filters'), { minLength: 1, maxLength: 4 }).map((some) => anyOf(some)!),
  ),
}));

const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10);
const quoted = (value: string) => (value.includes(' ') ? `"${value}"` : value);

/** A query that asks for a filter. */
function printed(filter: Filter): string {
  if ('all' in filter) return `(${filter.all.map(printed).join(' ')})`;
  if ('any' in filter) return `(${filter.any.map(printed).join(' OR ')})`;
  if ('not' in filter) return `-(${printed(filter.not)})`;
  if ('shelf' in filter) return filter.shelf === 'archive' ? 'is:archived' : `is:${filter.shelf}`;
  if ('read' in filter) return filter.read ? 'is:read' : 'is:unread';
  if ('failed' in filter) return 'is:failed';
  if ('words' in filter) return `words:${filter.words.atLeast}..${filter.words.atMost}`;
  if ('saved' in filter) return `saved:${isoDay(filter.saved.since!)}..${isoDay(filter.saved.before! - 1)}`;
  if ('word' in filter) return quoted(filter.word);
  const [[name, value] = []] = Object.entries(filter);
  return `${name}:${quoted(value as string)}`;
}

describe('completions while typing', () => {
  const known = { tag: ['house', 'home', 'to read'], list: ['Kitchen'] };
  const complete = (query: string, cursor = query.length) =>
    completionsOf(query, cursor, known).map(({ text, start, end }) => query.slice(0, start) + text + query.slice(end));

  it.each<[string, string[]]>([
    ['ta', ['tag:']],
    ['boiler -ha', ['boiler -has:']],
    ['(sav', ['(saved:', '(savedafter:', '(savedbefore:']],
    ['is:un', ['is:unread']],
    ['x has:', ['x has:action', 'x has:highlight', 'x has:note', 'x has:picture']],
    ['tag:ho', ['tag:house', 'tag:home']],
    ['tag:to', ['tag:"to read"']],
    ['tag:"to r', ['tag:"to read"']],
    ['list:k', ['list:Kitchen']],
    ['author:a', []],
    ['boiler ', []],
    ['foo:b', []],
  ])('completes %j', (query, expected) => {
    expect(complete(query)).toEqual(expected);
  });

  it('completes at the cursor', () => {
    expect(complete('is:re tag:x', 5)).toEqual(['is:read tag:x']);
  });
});
