import { expect, it } from 'vitest';
import { attackText } from '../../scripts/regex-gate/attack-text.ts';
import { boundedPatterns } from '../../scripts/regex-gate/bounded-patterns.ts';
import { keyOf, readKnownVerdicts } from '../../scripts/regex-gate/known-verdicts.ts';
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

/** What matching at the bound is compared with: a plain search through a long text, ten times, which takes some ten milliseconds. */
const searched = 'a '.repeat(1_000_000);
const tenSearches = leastTime(() => Array.from({ length: 10 }, () => /b|c\s/.test(searched)));
const maxTime = 5 * Math.max(10_000, tenSearches);

/** For what the checker cannot decide, and so has no attack against. */
const runs = [' ', 'a', '1', '.', '-', 'a ', 'a: ', '1 ', 'a1', '- ', '<', '\n'];

const { attacks } = readKnownVerdicts();

/** Each pattern that may stay because its input is short, against the checker's own attack at the bound. */
it.each(boundedPatterns.map((pattern) => ({ ...pattern, at: `${pattern.file} /${pattern.source}/` })))(
  '$at is fast at the bound on its input',
  ({ source, flags, verdict, maxInput, hostileTexts = [] }) => {
    const attack = attacks.get(keyOf({ source, flags }));
    // `npm run check:regex -- --write` asks the checker for it.
    expect(attack === undefined).toBe(verdict === 'undecided');
    const texts =
      attack !== undefined
        ? [attackText(attack, maxInput)]
        : [...hostileTexts, ...runs].flatMap((run) =>
            ['', '!'].map((end) => (run.repeat(maxInput) + end).slice(-maxInput)),
          );
    const pattern = new RegExp(source, flags.replace(/[gy]/g, ''));
    for (const text of texts) {
      expect(leastTime(() => pattern.test(text), maxTime)).toBeLessThan(maxTime);
    }
  },
);
