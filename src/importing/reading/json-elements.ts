import { parseBoundedJson } from '../../domain/json/bounded-json.ts';
import { cutOff, type FileEnding } from './export-files.ts';

/** The key of an element that is the root object itself. */
export const wholeFile = '';

/** A longer element is skipped. */
const maxElementLength = 64_000_000;

export interface JsonElement {
  /** The key of the root object whose array holds the element; null when the root is the array. */
  key: string | null;
  /** Null when the element is no valid JSON or too long. */
  value: unknown;
}

/**
 * Reads the elements of a JSON array one after the other: of the array that is the root, or of each array that stands
 * directly in the root object. Only objects are returned. Takes time in proportion to the text, and memory for one element.
 * @param only the key of the one array that is wanted
 */
export async function* jsonElements(
  chunks: AsyncIterable<string>,
  only?: string,
  ending?: FileEnding,
): AsyncGenerator<JsonElement> {
  let depth = 0;
  /** 0: no such array is open. */
  let elementDepth = 0;
  let isInString = false;
  let isEscaped = false;
  let rootIsArray = false;
  let key: string | null = null;
  let text = '';
  let isTaking = false;
  let isTooLong = false;
  for await (const chunk of chunks) {
    let from = 0;
    const take = (to: number): void => {
      if (isTaking && !isTooLong) {
        if (text.length + to - from > maxElementLength) isTooLong = true;
        else text += chunk.slice(from, to);
      }
      from = to;
    };
    for (let at = 0; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (code === 0x5c) isEscaped = true;
        else if (code === 0x22) {
          isInString = false;
          if (isTaking && depth === 1 && elementDepth === 0) {
            take(at + 1);
            key = keyOf(text);
            isTaking = false;
          }
        }
        continue;
      }
      if (code === 0x22) {
        isInString = true;
        // A string directly in the root object is a key, or the value of one.
        if (depth === 1 && !rootIsArray) {
          text = '';
          isTooLong = false;
          isTaking = true;
          from = at;
        }
      } else if (code === 0x7b || code === 0x5b) {
        if (depth === 0) rootIsArray = code === 0x5b;
        if (code === 0x5b && elementDepth === 0 && (depth === 0 || (depth === 1 && !rootIsArray)))
          elementDepth = depth + 1;
        else if (code === 0x7b && depth === elementDepth && elementDepth > 0 && (only ?? key) === key) {
          text = '';
          isTooLong = false;
          isTaking = true;
          from = at;
        }
        depth += 1;
      } else if (code === 0x7d || code === 0x5d) {
        depth -= 1;
        if (depth < 0) return;
        if (isTaking && elementDepth > 0 && depth === elementDepth && code === 0x7d) {
          take(at + 1);
          isTaking = false;
          yield { key: rootIsArray ? null : key, value: isTooLong ? null : parsed(text) };
          text = '';
        } else if (code === 0x5d && elementDepth > 0 && depth === elementDepth - 1) elementDepth = 0;
      }
    }
    take(chunk.length);
  }
  if (depth > 0 && ending !== undefined) ending.fault = cutOff;
}

/** The root object of a file, for a format that is one object. A longer one is read as null. */
export async function readWholeJson(chunks: AsyncIterable<string>, maxLength: number): Promise<JsonElement> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length > maxLength) return { key: wholeFile, value: null };
  }
  return { key: wholeFile, value: parsed(text.replace(/^\ufeff/, '')) };
}

function keyOf(text: string): string | null {
  const value = parsed(text);
  return typeof value === 'string' ? value : null;
}

function parsed(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    // One broken element does not keep the others out.
    return null;
  }
}

export async function* jsonLines(lines: AsyncIterable<string>): AsyncGenerator<JsonElement> {
  for await (const line of lines) if (line.trim() !== '') yield { key: null, value: parsed(line) };
}
