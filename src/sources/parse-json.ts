import { parseBoundedJson } from '../domain/json/bounded-json.ts';

/** Parses JSON. Null for invalid JSON, and for JSON that is nested too deeply or has too many values. */
export function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
