import type { Operation } from '../operations/operation.ts';

/** An operation with a REST route. */
export type RestOperation = Operation & { http: NonNullable<Operation['http']> };

export function restOperations(operations: readonly Operation[]): RestOperation[] {
  return operations.filter((operation): operation is RestOperation => operation.http !== undefined);
}

/** Which part of a request holds each input of an operation. */
export interface InputPlaces {
  /** The inputs in the path: `/content/:id` → `id`. */
  inPath: readonly string[];
  /** Whether the other inputs are fields of the body; if not, they are query parameters. */
  hasBody: boolean;
}

export function inputPlaces({ http: { method, path } }: RestOperation): InputPlaces {
  return {
    inPath: [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
    hasBody: method !== 'get' && method !== 'delete',
  };
}
