import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError, ProcessingError } from '../../src/errors.ts';
import { describeFailure, retryDelayMs } from '../../src/pipeline/queue/retry.ts';
import type { Claim } from '../../src/store/records.ts';
import { forAll } from '../support/for-all.ts';

const middle = () => 0.5;
const hour = 3_600_000;

describe('the delay before the next attempt', () => {
  it('grows fourfold from 15 seconds to six hours', () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 40].map((attempt) => retryDelayMs(attempt, undefined, middle) / 1_000);
    expect(seconds).toEqual([15, 60, 240, 960, 3_840, 15_360, 21_600, 21_600]);
  });

  it('varies by a fifth in either direction', () => {
    expect(retryDelayMs(1, undefined, () => 0)).toBe(12_000);
    expect(retryDelayMs(1, undefined, () => 1)).toBe(18_000);
  });

  it('is at least what the server asked for, up to a day', () => {
    expect(retryDelayMs(1, hour, middle)).toBe(hour);
    expect(retryDelayMs(1, 2_000, middle)).toBe(15_000);
    expect(retryDelayMs(1, 40 * 24 * hour, middle)).toBe(24 * hour);
  });

  it('is a whole number of milliseconds within its bounds for any input', () => {
    forAll(
      fc.integer({ min: 0, max: 100 }),
      fc.option(fc.integer({ min: 0, max: 10 ** 12 }), { nil: undefined }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempts, retryAfter, random) => {
        const delay = retryDelayMs(attempts, retryAfter, () => random);
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(Math.max(12_000, Math.min(retryAfter ?? 0, 24 * hour)));
        expect(delay).toBeLessThanOrEqual(24 * hour);
      },
    );
  });
});

describe('the record of a failure', () => {
  const claim: Claim = {
    jobId: 'j_x',
    contentId: 'c_x',
    url: 'https://example.com/',
    stage: 'fetch',
    attempts: 2,
    leaseToken: 'j_y',
    leaseExpiresAt: 0,
    host: null,
    isRefresh: false,
  };
  const worker = { now: 1_000, maxAttempts: 6, random: middle };

  it('has the reason written for people', () => {
    const error = new ProcessingError('server_error', 'The site is down.', {
      retryable: true,
      retryAfterMs: hour,
      cause: new Error('socket'),
    });
    expect(describeFailure(error, claim, worker)).toEqual({
      code: 'server_error',
      message: 'The site is down.',
      retryable: true,
      nextAttemptAt: 1_000 + hour,
    });
  });

  it('has no next attempt when a retry cannot help, or after the last one', () => {
    const gone = new ProcessingError('not_found', 'The page is gone.');
    expect(describeFailure(gone, claim, worker).nextAttemptAt).toBeNull();
    const down = new ProcessingError('server_error', 'The site is down.', { retryable: true });
    expect(describeFailure(down, { ...claim, attempts: 5 }, worker).nextAttemptAt).not.toBeNull();
    expect(describeFailure(down, { ...claim, attempts: 6 }, worker)).toMatchObject({
      retryable: true,
      nextAttemptAt: null,
    });
  });

  it.each([
    ['open files', Object.assign(new Error('open /secret'), { code: 'EMFILE' })],
    [
      'memory, of a file that was read',
      new Error('no text', { cause: Object.assign(new Error('x'), { code: 'ENOMEM' }) }),
    ],
    ['threads', Object.assign(new Error('x'), { code: 'ERR_WORKER_INIT_FAILED' })],
    [
      'threads, of the one that splits texts',
      new ProcessingError('internal', 'The text may be too large.', {
        retryable: true,
        cause: Object.assign(new Error('x'), { code: 'EAGAIN' }),
      }),
    ],
    [
      'room on the disk',
      new AppError('unavailable', 'Full.', { cause: Object.assign(new Error('x'), { code: 'SQLITE_FULL' }) }),
    ],
  ])('blames the machine, not the page, for a lack of %s', (_, error) => {
    const failure = describeFailure(error, claim, worker);
    expect(failure).toMatchObject({
      code: 'machine_limit',
      retryable: true,
      nextAttemptAt: expect.any(Number) as number,
    });
    expect(failure.message).toMatch(/^This machine .* Nothing is wrong with what was saved\./);
    expect(failure.message).not.toContain('secret');
  });

  it('reveals nothing of an unexpected error', () => {
    forAll(fc.string({ minLength: 12 }), (text) => {
      for (const thrown of [new Error(text), text, { message: text }, new TypeError('x', { cause: text })]) {
        const failure = describeFailure(thrown, claim, worker);
        expect(failure.code).toBe('internal');
        expect(failure.retryable).toBe(true);
        expect(failure.message).not.toContain(text);
      }
    });
  });
});
