import { z } from 'zod';

/** What a schema, or one that it wraps, is described as. */
export function descriptionOf(schema: z.ZodType): string | undefined {
  if (schema.description !== undefined || !isWrapper(schema)) return schema.description;
  return descriptionOf(schema.unwrap() as z.ZodType);
}

function isWrapper(schema: z.ZodType): schema is z.ZodOptional | z.ZodDefault | z.ZodNullable {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;
}

/** Unwraps `optional`, `default` and `nullable`, to see what kind of value a flag or query parameter holds. */
export function bareSchema(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (isWrapper(inner)) inner = inner.unwrap() as z.ZodType;
  // A preprocessed list is still a list.
  return inner instanceof z.ZodPipe && inner.out instanceof z.ZodArray ? inner.out : inner;
}
