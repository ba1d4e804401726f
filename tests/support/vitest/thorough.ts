/**
 * Whether what is repeated many times, on long texts or with many values, is so in full, which the gate has no time for: `TEST_THOROUGH=1 npm test`,
 * `TEST_THOROUGH=1 npm run test:second`. A workflow does so each week.
 */
export const isThorough = process.env['TEST_THOROUGH'] === '1';

/** How many examples of a property are tried. The gate tries a tenth of the examples of the thorough run, and ten at least. */
export const runs = (examples: number): number => (isThorough ? examples : Math.max(10, Math.ceil(examples / 10)));
