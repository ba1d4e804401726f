import { z } from 'zod';

/* Fields of objects of other programs. */

/** Null where it is missing or something else. */
export const maybe = <S extends z.ZodType>(schema: S) => schema.nullish().catch(null);
export const text = maybe(z.string());
export const texts = maybe(z.array(z.string()));
export const date = maybe(z.union([z.string(), z.number()]));
export const flag = z.unknown().optional();
export const names = maybe(
  z.array(z.union([z.string(), z.object({ name: text, label: text, title: text })]).catch('')),
);
export const namesOf = (tags: z.infer<typeof names>): string[] =>
  (tags ?? []).map((tag) => (typeof tag === 'string' ? tag : (tag.name ?? tag.label ?? tag.title ?? '')));

/** The names of what an object has beside what a format takes of it. */
export function fieldsBeside({ shape }: z.ZodObject, value: unknown): string[] {
  const hasValue = (one: unknown): boolean =>
    typeof one === 'object' ? Object.keys(one ?? {}).length > 0 : one !== undefined && one !== '' && one !== false;
  return Object.entries(value ?? {}).flatMap(([name, one]) => (!(name in shape) && hasValue(one) ? [name] : []));
}
