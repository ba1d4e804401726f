import { z } from 'zod';
import type { FieldProblem } from '../../errors.ts';
import { bareSchema } from '../../operations/bare-schema.ts';
import { refusedInput } from '../../domain/refused-input.ts';

/** Decodes one part of a query string; null when it is not valid percent-encoded UTF-8. */
function decode(text: string): string | null {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/**
 * Converts text to a number or a boolean if it is written as one. Other text is kept: the schema then refuses the field
 * by name.
 */
function valueOf(schema: z.ZodType, text: string): unknown {
  if (schema instanceof z.ZodBoolean && (text === 'true' || text === 'false')) return text === 'true';
  if (schema instanceof z.ZodNumber && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text;
}

/**
 * Reads a query string as the fields of `schema`. A list is separated by commas, repeated, or both. Parameters that the
 * schema does not know are kept in the result, so that the schema refuses them.
 * @param search the text after the `?`
 * @throws {AppError} `invalid_input` for text that cannot be decoded, and for a single value that is given twice
 */
export function readQuery(search: string, schema: z.ZodObject): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  const problems: FieldProblem[] = [];
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const text = decode(equals === -1 ? '' : pair.slice(equals + 1));
    if (name === null || text === null) {
      const message = 'is not valid percent-encoded UTF-8';
      problems.push(name === null ? { path: '', message: `A parameter ${message}` } : { path: name, message });
      continue;
    }
    const field = Object.hasOwn(schema.shape, name) ? bareSchema(schema.shape[name] as z.ZodType) : undefined;
    const before = fields.get(name);
    if (field instanceof z.ZodArray) {
      fields.set(name, [...((before as string[] | undefined) ?? []), ...text.split(',').map((part) => part.trim())]);
    } else if (field !== undefined && before !== undefined) {
      problems.push({ path: name, message: 'was given more than once' });
    } else {
      fields.set(name, field === undefined ? text : valueOf(field, text));
    }
  }
  if (problems.length > 0) throw refusedInput('The query string is not valid.', problems);
  return Object.fromEntries(fields);
}
