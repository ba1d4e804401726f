import * as fc from 'fast-check';

/*
 * Properties are put to the same made values in every run, so that a change which fails the tests is a change that broke
 * something. `TEST_SEED=random npm test` looks for what those values do not show, and a number repeats such a run.
 */

const wish = process.env['TEST_SEED'] ?? '20261121';
if (wish !== 'random' && !/^\d{1,9}$/.test(wish)) throw new Error('TEST_SEED is a whole number or "random".');

if (wish !== 'random') fc.configureGlobal({ seed: Number(wish) });
