import { describe, expect, it } from 'vitest';
import { saveAndProcess } from './store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

const dayMs = 24 * 60 * 60 * 1_000;
const answer = { status: 201, body: '{"id":"c_1"}', headers: { Location: '/content/c_1' } };

/** Requests that come twice, and changes of an item that must not have changed since it was read. */
export function requestsContract(underTest: () => StoreUnderTest): void {
  describe('repeated requests', () => {
    it('are reported as under way, then answered as the first time', async () => {
      const { store } = underTest();
      expect(await store.beginRequest('key', 'one')).toEqual({ state: 'new' });
      expect(await store.beginRequest('key', 'one')).toEqual({ state: 'under way' });
      expect(await store.beginRequest('key', 'other')).toEqual({ state: 'other' });
      await store.endRequest('key', answer);
      expect(await store.beginRequest('key', 'one')).toEqual({ state: 'answered', answer });
      expect(await store.beginRequest('key', 'other')).toEqual({ state: 'other' });
      expect(await store.beginRequest('another', 'other')).toEqual({ state: 'new' });
    });

    it('run again when the first one failed, but not when its process died, because it may have succeeded', async () => {
      const { store, clock } = underTest();
      await store.beginRequest('key', 'one');
      await store.endRequest('key', null);
      expect(await store.beginRequest('key', 'two')).toEqual({ state: 'new' });
      clock.advance(5 * 60 * 1_000 + 1);
      expect(await store.beginRequest('key', 'three')).toEqual({ state: 'other' });
      expect(await store.beginRequest('key', 'two')).toEqual({ state: 'cut off' });
      clock.advance(dayMs);
      expect(await store.beginRequest('key', 'two')).toEqual({ state: 'new' });
    });

    it('are forgotten after a day', async () => {
      const { store, clock } = underTest();
      await store.beginRequest('key', 'one');
      await store.endRequest('key', answer);
      clock.advance(dayMs);
      expect((await store.beginRequest('key', 'one')).state).toBe('answered');
      clock.advance(1);
      expect(await store.beginRequest('key', 'one')).toEqual({ state: 'new' });
    });
  });

  describe('answers older than a day', () => {
    it('are forgotten by maintenance even without further requests', async () => {
      const { store, clock } = underTest();
      for (let number = 0; number < 30; number += 1) await store.beginRequest(`key ${number}`, 'one');
      clock.advance(dayMs);
      await store.endRequest('key 0', answer);
      await store.beginRequest('new', 'one');
      await store.endRequest('new', answer);
      clock.advance(1);
      expect(await store.hasMaintenance()).toBe(true);
      // Only so many in one write.
      expect([await store.maintain(), await store.maintain(), await store.maintain()]).toEqual([true, true, false]);
      expect(await store.hasMaintenance()).toBe(false);
      expect((await store.beginRequest('new', 'one')).state).toBe('answered');
    });
  });

  describe('the version of an item', () => {
    it('grows with every change; a change based on an older one is refused', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'a', { text: 'Some text.' });
      const first = (await store.getContentVersion(id))!;
      await store.updateContent(id, { notes: 'one', unchangedSince: first });
      const second = (await store.getContentVersion(id))!;
      expect(second).toBeGreaterThan(first);
      const late = { code: 'precondition_failed' };
      await expect(store.updateContent(id, { notes: 'two', unchangedSince: first })).rejects.toMatchObject(late);
      await expect(store.deleteContent(id, first)).rejects.toMatchObject(late);
      expect(await store.getContentSummary(id)).toMatchObject({ notes: 'one' });
      expect(await store.deleteContent(id, second)).toMatchObject({ id });
      expect(await store.getContentVersion(id)).toBeNull();
    });
  });
}
