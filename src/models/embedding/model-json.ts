/*
 * Checks for the JSON files of a model. By hand: zod would be loaded for them alone, in a process on whose start the first question
 * waits (10 ms of 70), and in each thread that splits texts.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

/** @throws when the value is not an object, or is an array or null */
export function requireObject(value: unknown, what: string): JsonObject {
  requireRight(typeof value === 'object' && value !== null && !Array.isArray(value), what);
  return value as JsonObject;
}

/** @throws {Error} which names the part of a file that is not as it has to be */
export function requireRight(isRight: boolean, what: string): asserts isRight {
  if (!isRight) throw new Error(`${what} is not what a model has there`);
}
