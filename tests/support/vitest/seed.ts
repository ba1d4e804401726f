import * as fc from 'fast-check';

/*
 * Properties are put to the same made values in every run, so that a change which fails the tests is a change that broke
 * something. `TEST_SEED=random npm test` looks for what those values do not show, and a number repeats such a run.
 */

const wish = process.env['TEST_SEED'] ?? '20261121';
if (wish !== 'random' && !/^\d{1,9}$/.test(wish)) throw new Error('TEST_SEED is a whole number or "random".');

/** The seed of this run: of properties, which print it when they fail, and of tests that make values of their own and print it likewise. */
export const seed = wish === 'random' ? Date.now() % 1_000_000_000 : Number(wish);

fc.configureGlobal({ seed });
