// Second stage, alone.
import { describe, expect, it } from 'vitest';
import { AppError, ProcessingError } from '../../src/errors.ts';
import { hostileStrings } from '../support/texts/hostile-strings.ts';
import { textFunctions } from '../support/texts/text-functions.ts';
import { isThorough } from '../support/vitest/thorough.ts';

const length = isThorough ? 40_000 : 12_500;
/** Each is there in three ways, one after the other: in the gate in one of them, which changes from text to text. */
const texts = hostileStrings(length).filter((_, at) => isThorough || at % 9 === 0 || at % 9 === 4 || at % 9 === 8);

/**
 * Of processor time, for the table: a function that takes quadratic time on some of its texts and two minutes for them at 40,000 characters takes
 * as much less at fewer. The slowest takes a third of this, and as long for any length.
 */
const maxSeconds = 120 * (length / 40_000) ** 2;

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/* `bench/text.ts` prints how time grows. */
describe('hostile texts', () => {
  it.each(Object.entries(textFunctions))('do not delay %s', async (_name, run) => {
    const failures: unknown[] = [];
    const began = processorSeconds();
    for (const { text } of texts) {
      try {
        await run(text);
      } catch (error) {
        if (!(error instanceof AppError || error instanceof ProcessingError)) failures.push(error);
      }
    }
    expect(failures).toEqual([]);
    expect(processorSeconds() - began).toBeLessThan(maxSeconds);
  });
});
