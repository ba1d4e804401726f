import { describe, expect, test } from 'vitest';
import { type Entry, Ledger, type RecordState } from './ledger.ts';

const fresh = { deleted: false, notes: null, tags: [] };
const entryOf = (possible: RecordState[], id: string | null = null): Entry => ({
  id,
  kind: 'note',
  name: 'a',
  possible,
});
const found = (...states: (typeof fresh)[]) => ({
  records: states.map((state, at) => ({ id: `c_${at}`, name: 'a', state })),
  changes: new Set<string>(),
  doneActions: new Set<string>(),
});

function settled(entry: Entry, ...states: (typeof fresh)[]): string[] {
  const ledger = new Ledger();
  ledger.entries.add(entry);
  return ledger.settle(found(...states));
}

describe('promises are compared with the stored state', () => {
  test.each([
    ['what was acknowledged is there', entryOf([fresh]), [fresh], []],
    ['of a cut call either is right: done', entryOf([null, fresh]), [fresh], []],
    ['of a cut call either is right: not done', entryOf([null, fresh]), [], []],
    ['an acknowledged record is missing', entryOf([fresh]), [], ['note a should be']],
    ['an acknowledged change is missing', entryOf([{ ...fresh, deleted: true }]), [fresh], ['note a should be']],
    ['a record is there twice', entryOf([null, fresh]), [fresh, fresh], ['note a is there 2 times']],
    ['a record is another one', entryOf([fresh], 'c_7'), [fresh], ['note a was c_7, and is c_0']],
  ])('%s', (_, entry, states, wrong) => {
    const said = settled(entry, ...states);
    expect(said).toHaveLength(wrong.length);
    for (const [at, words] of wrong.entries()) expect(said[at]).toContain(words);
  });

  test('afterwards it is known which of the states became true', () => {
    const entry = entryOf([null, fresh]);
    settled(entry, fresh);
    expect(entry).toMatchObject({ id: 'c_0', possible: [fresh] });
  });

  test('changes and completed actions are remembered', () => {
    const ledger = new Ledger();
    ledger.changes.add('x_1');
    ledger.doneActions.add('a_1');
    expect(ledger.settle(found())).toEqual([
      'change x_1 is not in the history',
      'action item a_1 is not done any more',
    ]);
    const there = { records: [], changes: new Set(['x_1']), doneActions: new Set(['a_1']) };
    expect(ledger.settle(there)).toEqual([]);
  });
});
