import { beforeEach, describe, expect, it } from 'vitest';
import { findItems, saveAndProcess } from '../items/store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

/** What `findItems` says of misspelt words. */
export function correctionContract(underTest: () => StoreUnderTest): void {
  const find = (query: string) => findItems(underTest().store, query, { isTyped: true });
  const correct = async (query: string) => (await find(query)).correction?.text ?? null;

  describe('correcting a question', () => {
    beforeEach(async () => {
      const { store } = underTest();
      const title = 'Photosynthesis';
      await saveAndProcess(store, 'a', { text: 'Entanglement of quantum states in Zürich.', document: { title } });
      await saveAndProcess(store, 'b', { text: 'Quantum habits, sleeping habits, ПРИВЫЧКИ и сон. Habit. 図書館' });
    });

    it.each([
      ['entnaglement', 'entanglement'],
      ['Entanglemnet?', 'entanglement?'],
      ['uqantum', 'quantum'],
      ['wuantum', 'quantum'],
      ['uantum', 'quantum'],
      ['photosintesis', 'photosynthesis'],
      ['habbits', 'habits'],
      ['zuerich', 'zürich'],
      ['превычки', 'привычки'],
      ['how to break habitts of "quantm" sleeping', 'how to break habits of "quantum" sleeping'],
    ])('corrects %s to %s', async (query, meant) => {
      expect(await correct(query)).toBe(meant);
    });

    it.each([
      ['is there', 'quantum'],
      ['is there in another form', 'Quantums'],
      ['may be the beginning of a word', 'the quant'],
      ['may be the beginning of a short word', 'sleip'],
      ['is short, beside one that is there', 'qantu habits'],
      ['has nothing near it', 'kubernetes'],
      ['has no spaces', 'state 図書'],
      ['is none', ''],
      ['is punctuation', '"'],
      ['is a number', '1234'],
      ['is a letter', 'sleep x'],
    ])('leaves %s alone', async (_, query) => {
      expect(await correct(query)).toBeNull();
    });

    it('reports whether any word exists, and searches for the corrected words only beside others', async () => {
      const coverage = { searchable: 2, pending: 0, failed: 0 };
      expect(await find('qauntum')).toEqual({
        correction: { text: 'quantum', nothingFound: true, isNear: true },
        items: [],
        first: null,
        total: 0,
        isUpperBound: false,
        bestByWords: 0,
        bestByMeaning: 0,
        bestScore: 0,
        spellings: [],
        lacksRareWord: false,
        isCut: false,
        coverage,
      });
      const { correction, items } = await find('quanttum habits');
      expect(correction).toEqual({ text: 'quantum habits', nothingFound: false, isNear: false });
      expect(items.flat().map(({ itemUrl }) => itemUrl)).toEqual(['b', 'a']);
    });

    it.each([
      ['long words with one mistake each', 'qauntum stattes', true],
      ['two mistakes', 'entnaglemnet', false],
      ['a short word', 'habti', false],
      ['a word that nothing is near to', 'qauntum kubernetes', false],
    ])('reports whether the corrected words are near: %s', async (_, query, isNear) => {
      expect((await find(query)).correction).toMatchObject({ nothingFound: true, isNear });
    });

    it('searches for the words unchanged when they were not typed, or all exist', async () => {
      const { store } = underTest();
      const asWritten = await findItems(store, 'quanttum habits');
      expect(asWritten.correction).toBeNull();
      expect(asWritten.items.flat().map(({ itemUrl }) => itemUrl)).toEqual(['b']);
      const typed = await find('sleeping habits');
      expect(typed.correction).toBeNull();
      expect(typed.items.flat().map(({ itemUrl }) => itemUrl)).toEqual(['b']);
    });

    it('never suggests a word that only a deleted item contains', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'c', { text: 'Kubernetes.' });
      expect(await correct('kubernetse')).toBe('kubernetes');
      await store.deleteContent(id);
      expect(await correct('kubernetse')).toBeNull();
      await store.restoreContent(id);
      expect(await correct('kubernetse')).toBe('kubernetes');
    });
  });

  it('corrects nothing in an account without passages, and uses every word of a single passage', async () => {
    expect(await correct('quantm')).toBeNull();
    await saveAndProcess(underTest().store, 'a', { text: 'Quantum.' });
    expect(await correct('quantm')).toBe('quantum');
  });
}
