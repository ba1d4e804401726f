import * as fc from 'fast-check';

type Arbitraries = readonly fc.Arbitrary<unknown>[];
type ValuesOf<A extends Arbitraries> = { [At in keyof A]: A[At] extends fc.Arbitrary<infer Value> ? Value : never };

/** Fails unless `property` holds for whatever the arbitraries make; a number in front of them is how often that is tried. */
export function forAll<A extends Arbitraries>(
  ...given: [...A, property: (...values: ValuesOf<A>) => boolean | void]
): void;
export function forAll<A extends Arbitraries>(
  ...given: [numRuns: number, ...A, property: (...values: ValuesOf<A>) => boolean | void]
): void;
export function forAll(...given: unknown[]): void {
  const [numRuns, ...rest] = typeof given[0] === 'number' ? given : [undefined, ...given];
  const property = fc.property(...(rest as [fc.Arbitrary<unknown>, (...values: unknown[]) => boolean | void]));
  fc.assert(property, numRuns === undefined ? {} : { numRuns: numRuns as number });
}

/** The same for a property that takes its time. */
export function forAllAsync<A extends Arbitraries>(
  ...given: [...A, property: (...values: ValuesOf<A>) => Promise<boolean | void>]
): Promise<void>;
export function forAllAsync<A extends Arbitraries>(
  ...given: [numRuns: number, ...A, property: (...values: ValuesOf<A>) => Promise<boolean | void>]
): Promise<void>;
export function forAllAsync(...given: unknown[]): Promise<void> {
  const [numRuns, ...rest] = typeof given[0] === 'number' ? given : [undefined, ...given];
  const property = fc.asyncProperty(...(rest as [fc.Arbitrary<unknown>, (...values: unknown[]) => Promise<void>]));
  return fc.assert(property, numRuns === undefined ? {} : { numRuns: numRuns as number });
}
