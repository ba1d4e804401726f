import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexedText, maxQueryTerms, queryTerms } from '../../../src/domain/search/index-terms.ts';
import { matchAny } from '../../../src/store/sqlite/index/passage-filter.ts';
import { forAll } from '../../support/for-all.ts';

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
const terms = (query: string) => queryTerms(query).map(({ text }) => text);

describe('text for the index', () => {
  it.each([
    ['plain words stay', 'plain words stay'],
    ['図書館', '図書 書館 館'],
    ['猫', '猫'],
    ['iPhoneの使い方', 'iPhone の使 使い い方 方'],
    ['한국 말', '한국 국 말'],
    ['ไทย', 'ไท ทย ย'],
    ['㐂𠮷野', '㐂𠮷 𠮷野 野'],
    ['ﾃﾞｰﾀ', 'デー ータ タ'],
    ['か\u3099', 'が'],
    ['東京、大阪。', '東京 京 、 大阪 阪 。'],
    ['Ёлка и ёж', 'елк и еж'],
    ['Straße in Łódź, Œuvre', 'Strasse in Lódź, OEuvre'],
    ['Москва日本', 'москв 日本 本'],
    ['الحذاء', 'حذاء'],
    ['وبالأحذية، والمشي', 'احذ، مش'],
    ['حِذَاؤُها', 'حذا'],
    ['من هو', 'من هو'],
  ])('turns %j into %j', (text, expected) => {
    expect(words(indexedText(text))).toEqual(words(expected));
  });

  it.each([
    ['de-AT', 'Die Häuser der Straßen', 'die haus der strass'],
    ['es', 'Las naciones y la información', 'las nacion y la inform'],
    ['tr', 'Kitaplarımızdan IŞIKLAR', 'kitap ışık'.replaceAll('ı', 'i')],
    ['hi', 'किताबों को', 'किताब को'],
    ['ru', 'командами Smith & Söhne', 'команд Smith & Söhne'],
    ['uk', 'книгами', 'книг'],
    ['nb', 'bøkene', 'bok'],
    ['pl', 'książki', 'książk'],
    ['de', 'Gartenhaus Gärtnerei', 'garten gartne'],
    ['hi', 'विद्यार्थियों', 'विद्यार्थ'],
    [
      'de',
      'Donaudampfschifffahrtsgesellschaftskapitänsmütze v2',
      'donaudampfschifffahrtsgesellschaftskapitänsmütze v2',
    ],
  ])('in %j turns %j into %j', (language, text, expected) => {
    expect(indexedText(text, language).toLowerCase().split(' ')).toEqual(expected.toLowerCase().split(' '));
  });
});

describe('terms of a question', () => {
  it.each([
    ['Where is the FOX?', ['fox']],
    ['Where is it?', ['where', 'is', 'it']],
    ['WHO guidelines on IT', ['who', 'guidelines', 'it']],
    ['WHO IS WILL', ['who', 'is', 'will']],
    ['wo schläft der fuchs', ['schläft', 'fuchs']],
    ['Was muss ich können, bevor ich das Skript lese?', ['skript', 'lese']],
    ['¿Cuántos idiomas puedo aprender desde casa?', ['idiomas', 'aprender', 'casa']],
    ['my son and his mind', ['son', 'his', 'mind']],
    ['fox Fox "fox"*', ['fox']],
    [`don't C++ q_b q-b x.y`, ['don', 't', 'c', 'q', 'b', 'x', 'y']],
    ['図書館 fox', ['図書', '書館', 'fox']],
    ['أين الحذاء؟', ['حذاء']],
    ['зелёная Ёлка', ['зелен', 'елк']],
    ['Wer hilft in der Not?', ['hilft', 'not']],
    ['¿Por qué hay un pan sin sal?', ['hay', 'pan', 'sin', 'sal']],
    ['Tại sao người ta in sách?', ['tại', 'sao', 'người', 'ta', 'in', 'sách']],
    ['', []],
    ['\u0000 \ud800 🦊 *', []],
  ])('of %j are %j', (query, expected) => {
    expect(terms(query)).toEqual(expected);
  });

  it('have the forms of their words in every language of the account', () => {
    const account = ['de', 'es'] as const;
    expect(queryTerms('Häuser nacion', account)).toEqual([
      { text: 'häuser', isPrefix: false, forms: ['haus', 'häus'] },
      { text: 'nacion', isPrefix: false },
    ]);
  });

  it('have no form of two letters in an English question, where that is another word', () => {
    const account = ['fr', 'tr'] as const;
    const formsIn = (query: string) => queryTerms(query, account).flatMap(({ forms = [] }) => forms);
    expect(formsIn('How much beer is in the data?')).toEqual(['dat']);
    // Nothing tells the language of these.
    expect(formsIn('beer')).toEqual(['be']);
    expect(formsIn('data')).toEqual(['dat', 'da']);
  });

  it('search for one character of a script without spaces as a prefix', () => {
    expect(matchAny(queryTerms('猫 cat'))).toBe('"猫"* OR "cat"');
  });

  it('of a pasted page are the longest ones, in order', () => {
    const query = Array.from({ length: 200 }, (_, i) => `w${'x'.repeat(i % 100)}${i}`).join(' ');
    const asked = terms(query);
    expect(asked).toHaveLength(maxQueryTerms);
    const shortest = Math.min(...asked.map((term) => term.length));
    expect(terms(query).every((term) => query.includes(term))).toBe(true);
    expect(words(query).filter((word) => word.length > shortest && !asked.includes(word))).toEqual([]);
    expect(asked).toEqual(words(query).filter((word) => asked.includes(word)));
  });

  it('contain no syntax, whatever the query', () => {
    forAll(fc.string({ unit: 'binary' }), (query) => {
      for (const term of terms(query)) expect(term).toMatch(/^[\p{L}\p{N}\p{Co}\p{M}]+$/u);
    });
  });

  it('of a slice of a text without spaces are all in the index of the whole', () => {
    const han = fc.array(fc.constantFrom(...'図書館東京大学猫𠮷かなカナ한국ไทย'), { minLength: 1, maxLength: 20 });
    forAll(han, fc.nat(), fc.nat(), (characters, from, length) => {
      const start = from % characters.length;
      const slice = characters.slice(start, start + 1 + (length % 5));
      const indexed = words(indexedText(characters.join('')));
      for (const { text, isPrefix } of queryTerms(slice.join(''))) {
        expect(indexed.some((word) => (isPrefix ? word.startsWith(text) : word === text))).toBe(true);
      }
    });
  });
});
