import { join } from 'node:path';
import { openRaw } from '../../support/store/raw-database.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { matchedRanges, createTermMatcher } from '../../../src/domain/search/term-matches.ts';
import type { Store, Stores } from '../../../src/store/store.ts';
import { findItems, saveAndProcess } from '../contracts/items/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const texts = [
  ['de', 'Die alten Häuser stehen in der Goethestraße, neben zwei Gärten.'],
  ['es', 'Las naciones firmaron varios acuerdos de cooperación económica.'],
  ['ru', 'Командами руководили опытные тренеры из разных городов.'],
  ['tr', 'Kitaplarımızı İstanbul’daki evlerimizde okuyoruz.'],
  ['hi', 'लड़कियों ने पुरानी किताबों को पढ़ा।'],
  ['ar', 'كتب اللاعبون والمدرسون رسائلهم إلى المدارس.'],
  ['cs', 'Soubory se ukládají do složek, které jste vytvořili.'],
  ['pl', 'Książkami zajmowali się nauczyciele z okolicznych szkół.'],
  ['en', 'The houses of the nations have gardens, and Łódź has streets.'],
] as const;

describe('words in many languages', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let stores: Stores;
  let store: Store;

  const open = async () => {
    stores = await openDataFolder({ folder: folder.path, clock: new ManualClock() });
    store = await stores.open('local');
  };
  beforeEach(async () => {
    folder = temporaryFolder();
    await open();
    for (const [language, text] of texts)
      await saveAndProcess(store, `https://example.org/${language}`, { text, document: { language } });
  });
  afterEach(async () => {
    await stores.close();
    await folder.remove();
  });

  const found = async (text: string, isTyped = true) => {
    const { items, correction } = await findItems(store, text, { isTyped });
    return [items.map(([passage]) => passage?.itemLanguage).join(' '), correction?.text ?? null];
  };

  const questions = [
    ['Haus mit Garten', 'de'],
    ['GOETHESTRASSE', 'de'],
    ['nacion', 'es'],
    ['cooperacion', 'es'],
    ['команда тренера', 'ru'],
    ['kitap', 'tr'],
    ['EV İSTANBUL', 'tr'],
    ['लड़की किताब', 'hi'],
    ['رسالة لاعب', 'ar'],
    ['ukládání souborů', 'cs'],
    ['nauczycielka książek', 'pl'],
    ['the house and the street', 'en'],
    ['Lodz', 'en'],
  ] as const;

  it.each(questions)('%j finds %j', async (question, expected) => {
    expect(await found(question)).toEqual([expected, null]);
  });

  it("finds a phrase in each language's form, and excludes words in every form", async () => {
    expect((await findItems(store, 'Häuser', { filter: { phrases: ['alten Häuser'] } })).items).toHaveLength(1);
    expect((await findItems(store, 'тренер', { filter: { excluded: ['команда'] } })).items).toEqual([]);
  });

  it('does not treat English passages of a document as its language', async () => {
    const text = 'The presidents of Chile and of Peru came from Harvard to the meeting.';
    await saveAndProcess(store, 'https://example.org/names', { text, document: { language: 'fr', title: 'Harvard' } });
    expect(await found('president', false)).toEqual(['fr', null]);
    const db = openRaw(join(folder.path, 'accounts', 'local.db'), { readonly: true });
    const languages = db.prepare('SELECT language FROM indexed_languages ORDER BY language').pluck().all();
    db.close();
    expect(languages).toEqual(['ar', 'cs', 'de', 'es', 'hi', 'pl', 'ru', 'tr']);
  });

  it.each([
    ['haus garten', 'de', ['Häuser', 'Gärten']],
    ['тренер', 'ru', ['тренеры']],
    ['kitap ev', 'tr', ['Kitaplarımızı', 'evlerimizde']],
    ['लड़की', 'hi', ['लड़कियों']],
    ['ukládání', 'cs', ['ukládají']],
    ['house', 'en', ['houses']],
  ])('highlights %j in %s', (question, language, expected) => {
    const text = texts.find(([one]) => one === language)?.[1] ?? '';
    const matcher = createTermMatcher({ text: question, phrases: [] }, language);
    expect(matchedRanges(text, matcher).map(({ start, end }) => text.slice(start, end))).toEqual(expected);
  });
});
