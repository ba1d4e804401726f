import { parseBoundedJson } from '../domain/json/bounded-json.ts';

/** Null for what is no JSON, and for what is too deep or too wide to be read. */
export function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
