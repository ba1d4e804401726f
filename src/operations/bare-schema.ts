import { z } from 'zod';

/** Unwraps `optional`, `default` and `nullable`, to see what kind of value a flag or query parameter holds. */
export function bareSchema(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) {
    inner = inner.unwrap() as z.ZodType;
  }
  // A preprocessed list is still a list.
  return inner instanceof z.ZodPipe && inner.out instanceof z.ZodArray ? inner.out : inner;
}
