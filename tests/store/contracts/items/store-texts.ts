import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../../src/domain/duplicates/simhash.ts';
import {
  analysisOf,
  claim,
  documentOf,
  processToPassages,
  resource,
  saveAndProcess,
  saving,
  transcriptOf,
} from './store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';
import { countUnfinishedJobs, listPassages } from '../../../support/store/store-reads.ts';
import { keepOriginal } from '../../../support/store/claims.ts';

/** Sentences whose words differ from those of any other subject. */
const textOf = (subject: string, words = 60): string =>
  Array.from({ length: words }, (_, at) => `${subject}${at}`).join(' ');

export function textContract(underTest: () => StoreUnderTest): void {
  describe('originals', () => {
    it('returns every byte and everything known about it', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('a'));
      expect(await store.readOriginal(id)).toBeNull();
      const original = resource('a', '<p>repeated</p>'.repeat(1000), { finalUrl: 'b', declaredType: null });
      await keepOriginal(store, await claim(store), original);
      const read = (await store.readOriginal(id))!;
      expect({ ...read, bytes: [...read.bytes] }).toEqual({ ...original, given: false, bytes: [...original.bytes] });
      expect(await store.readOriginal(id, 'captions')).toBeNull();
    });

    it.each([
      ['nothing', new Uint8Array(0), 'text/plain'],
      ['all byte values', Uint8Array.from({ length: 256 }, (_, i) => i), 'application/pdf'],
      ['a part of a larger buffer', new Uint8Array(Buffer.from('before middle after').buffer, 0, 6), 'text/plain'],
    ])('keeps %s', async (_, bytes, declaredType) => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('a'));
      await keepOriginal(store, await claim(store), resource('a', '', { bytes, declaredType }));
      expect([...(await store.readOriginal(id))!.bytes]).toEqual([...bytes]);
    });

    it('keeps companions by name until the item is fetched again', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('a'));
      const fetching = await claim(store);
      const extracting = await keepOriginal(store, fetching, resource('a', 'page'));
      await store.keepCompanion(id, 'https://a/captions', resource('https://a/captions', 'first'));
      await store.keepCompanion(id, 'https://a/captions', resource('https://a/captions', 'second'));
      const text = async (name?: string) => Buffer.from((await store.readOriginal(id, name))!.bytes).toString();
      expect(await text('https://a/captions')).toBe('second');
      expect(await text()).toBe('page');
      await store.releaseJob(extracting);
    });
  });

  describe('documents and passages', () => {
    it('returns the document with its blocks', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('a'));
      expect(await store.readDocument(id)).toBeNull();
      expect(await store.readTranscript(id)).toBeNull();
      const extracting = await keepOriginal(store, await claim(store), resource('a', 'x'));
      const document = documentOf({ title: 'T', canonicalUrl: 'https://a/', pageCount: 3 });
      const transcript = {
        text: '# T\n\nBody 🦊',
        blocks: [
          { start: 0, end: 3, kind: 'heading' as const, level: 1 },
          { start: 5, end: 12, kind: 'paragraph' as const, locator: { kind: 'page' as const, page: 2 } },
        ],
      };
      await store.keepDocument(extracting, document, transcript);
      expect(await store.readDocument(id)).toEqual({
        ...document,
        documentId: expect.any(Number),
        contentId: id,
        version: 1,
        transcript,
      });
      expect(await store.readTranscript(id)).toBe(transcript.text);
      expect(await store.readTranscript('c_aaaaaaaaaaaaaaaa')).toBeNull();
      expect(await store.readText(id)).toEqual(transcript);
      expect(await store.readText('c_aaaaaaaaaaaaaaaa')).toBeNull();
    });

    it('slices passages exactly and in order', async () => {
      const { store } = underTest();
      const { id } = await store.saveContent(saving('a'));
      const text = 'One 🦊 two.\n\nThree four.';
      const splitting = await store.keepDocument(
        await keepOriginal(store, await claim(store), resource('a', text)),
        documentOf(),
        transcriptOf(text),
      );
      const { documentId } = (await store.readDocument(id))!;
      const passages = [
        { ordinal: 0, start: 0, end: 11, headingPath: [], locator: { kind: 'time' as const, seconds: 1.5 } },
        { ordinal: 1, start: 13, end: 24, headingPath: ['A', 'B'], locator: { kind: 'page' as const, page: 7 } },
      ];
      const outside = { ...passages[0]!, end: 25 };
      await expect(store.keepPassages(splitting, documentId, [outside])).rejects.toThrow('outside its document');
      await expect(store.keepPassages(splitting, documentId + 1, passages)).rejects.toThrow('does not belong');
      expect(await listPassages(store, id)).toEqual([]);
      await store.keepPassages(splitting, documentId, passages);
      const stored = await listPassages(store, id);
      expect(stored).toMatchObject([
        { ...passages[0], passageId: expect.any(Number), text: 'One 🦊 two.' },
        { ...passages[1], passageId: expect.any(Number), text: 'Three four.' },
      ]);
    });

    it('reads passages in the requested order, with their items', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'https://a/?x', {
        text: 'abcdef',
        passageLength: 2,
        document: { title: 'T', contentType: 'pdf', language: 'fr' },
        save: { canonicalUrl: 'https://a/', tags: ['one', 'two'] },
      });
      const [first, second, third] = await listPassages(store, id);
      const found = await store.readPassages([third!.passageId, 999_999, first!.passageId, second!.passageId]);
      expect(found.map(({ text }) => text)).toEqual(['ef', 'ab', 'cd']);
      expect(found[1]).toEqual({
        ...first,
        contentId: id,
        itemUrl: 'https://a/?x',
        itemCanonicalUrl: 'https://a/',
        itemTitle: 'T',
        itemContentType: 'pdf',
        itemTags: ['one', 'two'],
        itemLanguage: 'fr',
        itemAuthor: null,
        itemPublishedAt: null,
        itemDuplicateOf: null,
      });
      expect(await store.readPassages([])).toEqual([]);
    });
  });

  describe('duplicate items', () => {
    it('links the later of two items with the same text to the earlier one, whichever is processed first', async () => {
      const { store } = underTest();
      const first = await store.saveContent(saving('a'));
      const second = await store.saveContent(saving('b'));
      const third = await store.saveContent(saving('c'));
      const claims = [await claim(store), await claim(store), await claim(store)];
      for (const taken of claims.toReversed()) await processToPassages(store, taken, { text: 'The very same text.' });
      const duplicateOf = async (id: string) => (await store.getContent(id))?.duplicateOf;
      expect(await duplicateOf(first.id)).toBeNull();
      expect(await duplicateOf(second.id)).toBe(first.id);
      expect(await duplicateOf(third.id)).toBe(first.id);
    });

    it('accepts a shared address as a sign only with the same title and mostly the same text', async () => {
      const { store } = underTest();
      const item = (text: string, title: string | null) => ({
        text,
        document: { title, canonicalUrl: 'https://site/' },
      });
      const first = await saveAndProcess(store, 'https://site/1', item(textOf('one'), 'Title'));
      const same = await saveAndProcess(store, 'https://site/1b', item(`${textOf('one')} and more`, 'Title'));
      const others = [
        await saveAndProcess(store, 'https://site/2', item(`${textOf('one')} and else`, 'Other')),
        await saveAndProcess(store, 'https://site/3', item(`${textOf('one')} and so on`, null)),
        await saveAndProcess(store, 'https://site/4', item(textOf('four'), 'Title')),
        await saveAndProcess(store, 'https://site/5', item(`${textOf('one')} ${textOf('five')}`, 'Title')),
        await saveAndProcess(store, 'https://site/6', item(textOf('one', 30), 'Title')),
        await saveAndProcess(store, 'https://site/7', item('', 'Title')),
      ];
      expect((await store.getContent(same))?.duplicateOf).toBe(first);
      for (const other of others) expect((await store.getContent(other))?.duplicateOf).toBeNull();
    });

    it('treats pages without text as duplicates when they share address and title', async () => {
      const { store } = underTest();
      const item = (title: string) => ({ text: '', document: { title, canonicalUrl: 'https://site/' } });
      const first = await saveAndProcess(store, 'https://site/1', item('Title'));
      const same = await saveAndProcess(store, 'https://site/2', item('Title'));
      const other = await saveAndProcess(store, 'https://site/3', item('Other'));
      expect((await store.getContent(same))?.duplicateOf).toBe(first);
      expect((await store.getContent(other))?.duplicateOf).toBeNull();
    });

    it('compares the address that redirects lead to', async () => {
      const { store } = underTest();
      const text = textOf('post');
      const first = await saveAndProcess(store, 'https://site/post', { text, document: { title: 'T' } });
      const { id } = await store.saveContent(saving('https://short/x'));
      const landed = resource('https://short/x', 'x', { finalUrl: 'https://site/post?utm_source=short' });
      const extracting = await keepOriginal(store, await claim(store), landed);
      const advertised = `${text}, and an advertisement.`;
      await processToPassages(store, extracting, { text: advertised, document: { title: 'T' } });
      expect((await store.getContent(id))?.duplicateOf).toBe(first);
    });

    it('recognises a slightly edited text, but not one that only looks similar', async () => {
      const { store } = underTest();
      const words = Array.from({ length: 400 }, (_, at) => `word${(at * 7919) % 1009}`);
      const changed = (every: number) => words.map((word, at) => (at % every === 1 ? `other${at}` : word)).join(' ');
      const save = (url: string, text: string) =>
        saveAndProcess(store, url, { text, document: { title: url }, fingerprint: fingerprintOf(text) });
      const first = await save('https://site/first', words.join(' '));
      const edited = await save('https://site/edited', changed(150));
      const similar = await save('https://site/similar', changed(10));
      expect((await store.getContent(edited))?.duplicateOf).toBe(first);
      expect((await store.getContent(similar))?.duplicateOf).toBeNull();

      // Read again, the copy turns out to be another text.
      await store.reprocess('split', edited);
      const splitting = await claim(store);
      const { documentId } = (await store.readDocument(edited))!;
      await store.keepPassages(splitting, documentId, [], fingerprintOf(changed(4)));
      expect((await store.getContent(edited))?.duplicateOf).toBeNull();
    });

    it('never treats texts with different words as duplicates, whatever their fingerprints', async () => {
      const { store } = underTest();
      const fingerprint = fingerprintOf(textOf('real', 400));
      const save = (subject: string) =>
        saveAndProcess(store, subject, { text: textOf(subject, 400), fingerprint, passageLength: 500 });
      const ids = [await save('real'), await save('made'), await save('other')];
      for (const id of ids) {
        expect((await store.getContent(id))?.duplicateOf).toBeNull();
        for (const { itemDuplicateOf } of await store.readPassages(
          (await listPassages(store, id)).map(({ passageId }) => passageId),
        ))
          expect(itemDuplicateOf).toBeNull();
      }
      const analysed: (string | undefined)[] = [];
      for (const _ of ids) analysed.push((await store.claimAnalysis(60_000))?.contentId);
      expect(analysed.toSorted()).toEqual(ids.toSorted());
    });

    it('finds the duplicate among texts with the same fingerprint and keeps all in one group', async () => {
      const { store } = underTest();
      const real = textOf('real', 400);
      const fingerprint = fingerprintOf(real);
      const save = (url: string, text: string) =>
        saveAndProcess(store, url, { text, fingerprint, passageLength: 500, document: { title: url } });
      const made = await save('made', textOf('made', 400));
      const first = await save('real', real);
      const copies = [await save('copy', `${real} copied`), await save('again', `${real} copied again`)];
      const heads = async () =>
        Promise.all([made, first, ...copies].map(async (id) => (await store.getContent(id))?.duplicateOf));
      expect(await heads()).toEqual([null, null, first, first]);

      // Read again, the first of them turns out to be another text. The others are still alike.
      await store.reprocess('extract', first);
      await processToPassages(store, await claim(store), {
        text: textOf('new', 400),
        fingerprint: fingerprintOf(textOf('new', 400)),
      });
      expect(await heads()).toEqual([null, null, null, copies[0]]);
    });

    it('keeps the duplicates of an item marked when it is reprocessed with the same text', async () => {
      const { store } = underTest();
      const text = textOf('real', 400);
      const near = fingerprintOf(text)!;
      const first = { text, fingerprint: near, passageLength: 500 };
      const head = await saveAndProcess(store, 'first', { ...first, document: { title: 'first' } });
      // Each is near to the first, and to no other: alone, more of them would be compared than may be.
      const copies: string[] = [];
      for (let at = 0; at < 6; at += 1) {
        const fingerprint = near.map((byte, place) => (Math.floor(place / 5) === at ? byte ^ 0x0f : byte));
        const copy = { ...first, text: `${text} copy ${at}`, fingerprint, document: { title: `copy ${at}` } };
        copies.push(await saveAndProcess(store, `copy-${at}`, copy));
      }
      const heads = async () => Promise.all(copies.map(async (id) => (await store.getContent(id))?.duplicateOf));
      expect(await heads()).toEqual(copies.map(() => head));
      await store.reprocess('extract', head);
      await processToPassages(store, await claim(store), first);
      expect(await heads()).toEqual(copies.map(() => head));
    });

    it('recognises a long text with an added part, but not one that shares a few passages', async () => {
      const { store } = underTest();
      const words = textOf('real', 6_000);
      const fingerprint = fingerprintOf(words);
      // Cuts fall within words. In passages of a usual length that is a small part of the words, as it is in real texts.
      const save = (url: string, text: string) =>
        saveAndProcess(store, url, { text, fingerprint, passageLength: 900, document: { title: url } });
      const first = await save('real', words);
      // In the fourth sixth: of six places, one in each sixth, at most one is in what was added.
      const within = Math.floor(words.length * 0.6);
      const added = textOf('added', 400);
      const copies = [
        await save('before', `${added} ${words}`),
        await save('within', `${words.slice(0, within)} ${added} ${words.slice(within)}`),
        await save('behind', `${words} ${added}`),
      ];
      const made = await save('made', `${words.slice(0, 3_000)} ${textOf('made', 5_500)}`);
      for (const copy of copies) expect((await store.getContent(copy))?.duplicateOf).toBe(first);
      expect((await store.getContent(made))?.duplicateOf).toBeNull();
    });

    it('regroups the duplicates of a deleted item by what they share, and restores the group with it', async () => {
      const { store } = underTest();
      const item = (text: string, title: string, canonicalUrl: string | null = null) => ({
        text,
        document: { title, canonicalUrl },
      });
      const ids = [
        await saveAndProcess(store, 'https://site/1', item(textOf('text'), 'Title', 'https://site/')),
        await saveAndProcess(store, 'https://site/2', item(textOf('text'), 'Second')),
        await saveAndProcess(store, 'https://site/3', item(`${textOf('text')} 3`, 'Title', 'https://site/')),
        await saveAndProcess(store, 'https://site/4', item(textOf('text'), 'Fourth')),
        await saveAndProcess(store, 'https://site/5', item(`${textOf('text')} 5`, 'Title', 'https://site/')),
        await saveAndProcess(store, 'https://site/6', item(`${textOf('text')} 6`, 'Title')),
      ];
      const heads = async () =>
        Promise.all(
          ids.map(async (id) => {
            const item = await store.getContentSummary(id);
            return item === null ? 'deleted' : ids.indexOf(item.duplicateOf ?? '') + 1;
          }),
        );
      expect(await heads()).toEqual([0, 1, 1, 1, 1, 0]);
      const before = await store.getContentVersion(ids[1]!);
      await store.deleteContent(ids[0]!);
      expect(await heads()).toEqual(['deleted', 0, 0, 2, 3, 0]);
      expect(await store.getContentVersion(ids[1]!)).toBeGreaterThan(before!);
      await store.restoreContent(ids[0]!);
      expect(await heads()).toEqual([0, 1, 1, 1, 1, 0]);
    });

    it('does not treat empty texts as duplicates', async () => {
      const { store } = underTest();
      await saveAndProcess(store, 'a', { text: '' });
      const second = await saveAndProcess(store, 'b', { text: '' });
      expect((await store.getContent(second))?.duplicateOf).toBeNull();
      expect(await store.getContent(second)).toMatchObject({ status: 'completed', transcript: '', wordCount: 0 });
    });

    it('completes an item with its summary and the kind of its analysis', async () => {
      const { store, clock } = underTest();
      const { id } = await store.saveContent(saving('a'));
      const text = 'First. Second.';
      const embedding = await processToPassages(store, await claim(store), { text });
      const analysing = await store.finishEmbedding(embedding);
      const { documentId } = (await store.readDocument(id))!;
      const locator = { kind: 'text' as const, start: 7, end: 14 };
      const insights = [
        { text: 'Insight.', quote: 'Second.', start: 7, end: 14, locator, url: '#x' },
        { text: 'From all of it.', quote: null, start: null, end: null, locator: null, url: null },
      ];
      const analysis = analysisOf(text, [], { insights });
      clock.advance(1000);
      await store.keepAnalysis(analysing, documentId, analysis);
      expect(await store.getContent(id)).toMatchObject({
        status: 'completed',
        summary: 'A summary.',
        analysis: analysis.info,
        processedAt: '2026-01-01T00:00:01.000Z',
        keyInsights: [
          { text: 'Insight.', quote: 'Second.', locator, url: '#x' },
          { text: 'From all of it.', quote: null, locator: null, url: null },
        ],
        transcript: text,
      });
      expect(await store.getContent(id)).not.toHaveProperty('progress');
      expect(await countUnfinishedJobs(store)).toBe(0);
    });
  });
}
