import { expect, it } from 'vitest';
import { attackText } from '../../scripts/regex-gate/attack-text.ts';
import { boundedPatterns } from '../../scripts/regex-gate/bounded-patterns.ts';
import { verdictOf } from '../../scripts/regex-gate/verdict.ts';
import { leastTime } from '../support/growth.ts';

it('an attack is as long as it is asked for', () => {
  const attack = {
    pumps: [
      { prefix: 'a', pump: 'bc' },
      { prefix: '-', pump: 'd' },
    ],
    suffix: '!',
  };
  expect(attackText(attack, 9)).toBe('abcbc-dd!');
  expect(attackText(attack, 2)).toBe('a-');
});

/** What matching at the bound is compared with: a plain search through this, which takes some milliseconds. */
const searched = 'a '.repeat(1_000_000);
const maxTimesSearch = 10;

/** For what the checker cannot decide, and so has no attack against. */
const runs = [' ', 'a', '1', '.', '-', 'a ', 'a: ', '1 ', 'a1', '- ', '<', '\n'];

/** Each pattern that may stay because its input is short, against the checker's own attack at the bound. */
it.each(boundedPatterns.map((pattern) => ({ ...pattern, at: `${pattern.file} /${pattern.source}/` })))(
  '$at is fast at the bound on its input',
  { timeout: 600_000 },
  ({ source, flags, verdict, maxInput }) => {
    const found = verdict === 'vulnerable' ? verdictOf({ source, flags }) : null;
    expect(found?.status ?? verdict).toBe(verdict);
    const attacks =
      found?.status === 'vulnerable'
        ? [attackText(found.attack, maxInput)]
        : runs.flatMap((run) => ['', '!'].map((end) => (run.repeat(maxInput) + end).slice(-maxInput)));
    const pattern = new RegExp(source, flags.replace(/[gy]/g, ''));
    const search = Math.max(
      1_000,
      leastTime(() => /b|c\s/.test(searched)),
    );
    for (const attack of attacks) {
      expect(leastTime(() => pattern.test(attack))).toBeLessThan(search * maxTimesSearch);
    }
  },
);
