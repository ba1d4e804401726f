import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { backupName, expiredBackups, parseKeepRules, timeOfBackupName } from '../../src/domain/backups/retention.ts';
import { forAll } from '../support/for-all.ts';

const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 1, 3);
/** One backup a night for two years. */
const nightly = Array.from({ length: 730 }, (_, night) => ({ time: start + night * dayMs }));
const keptBy = (rules: string) => {
  const expired = new Set(expiredBackups(nightly, parseKeepRules(rules) ?? []));
  return nightly.filter((backup) => !expired.has(backup)).map(({ time }) => new Date(time).toISOString().slice(0, 10));
};

test('the newest backup of each recent period is kept', () => {
  expect(keptBy('3d')).toEqual(['2027-12-29', '2027-12-30', '2027-12-31']);
  // The last day of a week is its Sunday; the current week's newest is the newest of all, a Friday.
  expect(keptBy('3w')).toEqual(['2027-12-19', '2027-12-26', '2027-12-31']);
  expect(keptBy('2m,2y')).toEqual(['2026-12-31', '2027-11-30', '2027-12-31']);
  expect(keptBy('7d,4w,12m')).toHaveLength(20);
});

test('without rules all are kept, and the newest always is', () => {
  expect(expiredBackups(nightly, [])).toEqual([]);
  expect(expiredBackups([{ time: 5 }], [{ count: 1, unit: 'y' }])).toEqual([]);
});

test.each(['', '7', 'd', '0d', '7d,', '7d;4w', '-1d', '1.5d', '999999d', '7x'])('%j is not a list of rules', (text) => {
  expect(parseKeepRules(text)).toBeNull();
});

test('names contain the time, and files with other names are not touched', () => {
  forAll(fc.integer({ min: 0, max: 4_000_000_000 }), fc.constantFrom(undefined, 'local'), (seconds, account) => {
    const name = backupName(seconds * 1_000, account);
    expect(timeOfBackupName(name, account)).toBe(seconds * 1_000);
    expect(timeOfBackupName(name, account === undefined ? 'local' : undefined)).toBeNull();
  });
  for (const name of [
    'notes.zip',
    'commonplace-2026-01-01.zip',
    'commonplace-2026-13-01T000000Z.zip',
    '.commonplace-2026-01-01T000000Z.zip',
  ])
    expect(timeOfBackupName(name, undefined)).toBeNull();
});
