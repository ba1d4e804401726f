import { expect, it } from 'vitest';
import { failureWords } from '../../src/store/records/content-record.ts';

const reason = 'The site has a problem.';
it.each([
  [{ attempts: 2, isRetryable: true, isWaiting: true }, `${reason} It is tried again by itself.`],
  [
    { attempts: 6, isRetryable: true, isWaiting: false },
    `${reason} It was given up after 6 attempts; \`commonplace retry\` tries again.`,
  ],
  [
    { attempts: 1, isRetryable: true, isWaiting: false },
    `${reason} It was given up after one attempt; \`commonplace retry\` tries again.`,
  ],
  [{ attempts: 1, isRetryable: false, isWaiting: false }, reason],
])('the message about a failure depends on what happens next: %j', (state, words) => {
  expect(failureWords(reason, state)).toBe(words);
});
