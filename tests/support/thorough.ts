/**
 * Whether what is repeated many times, on long texts or with many values, is so in full, which the gate has no time for: `TEST_THOROUGH=1 npm test`,
 * `TEST_THOROUGH=1 npm run test:second`. A workflow does so each week.
 */
export const isThorough = process.env['TEST_THOROUGH'] === '1';

/** Of a property: how many examples are tried. The gate tries a third of those of the thorough run. */
export const runs = (examples: number): number => (isThorough ? examples : Math.ceil(examples / 3));
