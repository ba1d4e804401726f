import type { Operation } from '../operations/operation.ts';

/** An operation that has a place on REST. */
export type RestOperation = Operation & { http: NonNullable<Operation['http']> };

export function restOperations(operations: readonly Operation[]): RestOperation[] {
  return operations.filter((operation): operation is RestOperation => operation.http !== undefined);
}

/** Where the inputs of an operation stand in a request. */
export interface InputPlaces {
  /** Those named in the path: `/content/:id` → `id`. */
  inPath: readonly string[];
  /** Whether all others are fields of the body; else they are parameters of the query. */
  hasBody: boolean;
}

export function inputPlaces({ http: { method, path } }: RestOperation): InputPlaces {
  return {
    inPath: [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
    hasBody: method !== 'get' && method !== 'delete',
  };
}
