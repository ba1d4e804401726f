import { z } from 'zod';

/** The schema inside `optional`, `default` and `nullable`: what kind of value a flag or a query parameter stands for. */
export function bareSchema(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) {
    inner = inner.unwrap() as z.ZodType;
  }
  // A list that is tidied before it is checked is still a list.
  return inner instanceof z.ZodPipe && inner.out instanceof z.ZodArray ? inner.out : inner;
}
