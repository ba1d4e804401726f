import { describe, expect, it } from 'vitest';
import { idPattern, newId, type IdKind } from '../../src/domain/records/ids.ts';

const kinds: IdKind[] = ['c', 'a', 'g', 'u', 'j', 't'];

describe('ids', () => {
  it.each(kinds)('of kind %s start with it, and match only that kind’s pattern', (kind) => {
    const id = newId(kind);
    expect(id).toHaveLength(18);
    for (const other of kinds) expect(idPattern(other).test(id)).toBe(other === kind);
  });

  it('are safe as a file name and in an address', () => {
    const id = newId('c');
    expect(encodeURIComponent(id)).toBe(id);
    expect(id.toLowerCase()).toBe(id);
  });

  it('do not repeat and use their whole alphabet evenly', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('c'));
    expect(new Set(ids).size).toBe(ids.length);
    const counts = new Map<string, number>();
    for (const character of ids.map((id) => id.slice(2)).join(''))
      counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(32);
    // 160,000 characters over 32 letters: 5,000 each, standard deviation 70.
    for (const count of counts.values()) expect(Math.abs(count - 5_000)).toBeLessThan(500);
  });

  it.each([
    'c_',
    'c_ABCDEFGHIJKLMNOP',
    'c_aaaaaaaaaaaaaaa1',
    'c_aaaaaaaaaaaaaaaaa',
    ' c_aaaaaaaaaaaaaaaa',
    'c_aaaaaaaaaaaaaaaa\n',
    '../c_aaaaaaaaaaaaaaaa',
  ])('do not look like %j', (text) => {
    expect(idPattern('c').test(text)).toBe(false);
  });
});
