import { describe, expect, it } from 'vitest';
import { AppError, ProcessingError } from '../../src/errors.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { textFunctions } from '../support/text-functions.ts';

const texts = hostileStrings(40_000);

/*
 * A function that takes quadratic time on any of these takes seconds for that one alone, and minutes for the table: the
 * runner's time limit is the assertion. `bench/text.ts` prints how time grows.
 */
describe('hostile texts', () => {
  it.each(Object.entries(textFunctions))('do not hold up %s', { timeout: 120_000 }, async (_name, run) => {
    const failures: unknown[] = [];
    for (const { text } of texts) {
      try {
        await run(text);
      } catch (error) {
        if (!(error instanceof AppError || error instanceof ProcessingError)) failures.push(error);
      }
    }
    expect(failures).toEqual([]);
  });
});
