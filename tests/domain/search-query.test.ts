import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressesIn, isListing, parseSearchQuery, type ParsedQuery } from '../../src/domain/search/search-query.ts';

const parsed = (query: string) => {
  const { text, ...rest } = parseSearchQuery(query);
  const given = Object.entries(rest).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return { text, ...(Object.fromEntries(given) as Partial<ParsedQuery>) };
};
const day = (date: string) => Date.parse(`${date}T00:00:00Z`);

describe('the query language', () => {
  it.each<[string, Partial<ParsedQuery>]>([
    ['how to  sleep better?', { text: 'how to sleep better?' }],
    ['"deep sleep"', { text: 'deep sleep', phrases: ['deep sleep'] }],
    ['"deep sleep" type:pdf -tea', { text: 'deep sleep', phrases: ['deep sleep'], types: ['pdf'], excluded: ['tea'] }],
    ['“deep sleep”?', { text: 'deep sleep?', phrases: ['deep sleep'] }],
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
    ['rust site:blog.example.com', { text: 'rust', sites: ['blog.example.com'] }],
    ['Site:https://www.Example.com/a/b/', { text: '', sites: ['www.example.com/a/b'] }],
    ['site:пример.example site:youtube', { text: '', sites: ['xn--e1afmkfd.example', 'youtube'] }],
    ['type:PDF sleep type:youtube', { text: 'sleep', types: ['pdf', 'youtube'] }],
    ['tag:health tag:"to read" sleep', { text: 'sleep', tags: ['health', 'to read'] }],
    ['tag:a "b c" tag:a "b c" -d -d', { text: 'b c b c', tags: ['a'], phrases: ['b c'], excluded: ['d'] }],
    ['after:2024 before:2025', { text: '', since: day('2024-01-01'), before: day('2025-01-01') }],
    ['after:2024-02 after:2023-05-06', { text: '', since: day('2024-02-01') }],
    ['saved:2024-12', { text: '', savedSince: day('2024-12-01'), savedBefore: day('2025-01-01') }],
    ['saved:2024 Saved:2024-02-29', { text: '', savedSince: day('2024-02-29'), savedBefore: day('2024-03-01') }],
    [
      'tea savedafter:2024 savedbefore:2025-06',
      { text: 'tea', savedSince: day('2024-01-01'), savedBefore: day('2025-06-01') },
    ],
    ['before:2024-02-29 before:2025', { text: '', before: day('2024-02-29') }],
  ])('reads %j', (query, expected) => {
    expect(parsed(query)).toEqual(expected);
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
    'type:unknownthing',
    'type:',
    'type: pdf',
    'tag:',
    'tag:a,b',
    'site:',
    'site:???',
    'site:me@example.com',
    'site:2024',
    'before:christmas',
    'after:2024-13',
    'after:2023-02-29',
    'after:24-01',
    'saved:yesterday',
    '-saved:2024',
    'savedafter:2023-02-29',
    'mysite:example.com',
    '(type:pdf)',
    'title:fox NEAR(a b) OR *',
  ])('takes %j for text', (query) => {
    expect(parsed(query)).toEqual({ text: query });
  });

  it('lists what matches when nothing is left to rank', () => {
    for (const query of ['tag:health', 'after:2024', '-draft type:pdf']) {
      expect(isListing(parseSearchQuery(query)), query).toBe(true);
    }
    for (const query of ['', ' ', 'sleep tag:health', '"deep sleep"', '-111']) {
      expect(isListing(parseSearchQuery(query)), query).toBe(false);
    }
  });

  it('takes everything behind fifty operators for text', () => {
    const { tags, text } = parseSearchQuery(Array.from({ length: 60 }, (_, at) => `tag:t${at}`).join(' '));
    expect(tags).toHaveLength(50);
    expect(text.split(' ')).toHaveLength(10);
  });

  it.each([
    [' https://Example.com/a?utm_source=x#part ', ['https://example.com/a', 'http://example.com/a']],
    ['<http://example.com>', ['https://example.com/', 'http://example.com/']],
    ['http://127.0.0.1:8080/a', ['https://127.0.0.1:8080/a', 'http://127.0.0.1:8080/a']],
    ['youtu.be/aaaaaaaaaaa', Array.from({ length: 2 }, () => 'https://www.youtube.com/watch?v=aaaaaaaaaaa')],
  ])('knows %j for an address', (query, addresses) => {
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
  ])('knows %j for none', (query) => {
    expect(addressesIn(query)).toEqual([]);
  });

  it('reads any text, and text without quotation marks, colons and minuses as it stands', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (query) => {
        const { text } = parseSearchQuery(query);
        expect(text.isWellFormed()).toBe(true);
        const plain = query.replaceAll(/["“”„«»:-]/g, '');
        expect(parsed(plain)).toEqual({ text: plain.toWellFormed().replaceAll(/\s+/g, ' ').trim() });
      }),
    );
  });
});
