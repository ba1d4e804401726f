import { AppError } from '../errors.ts';
import { isPlain, parseJsonBytes } from './json-bytes.ts';
import type { LargePlaces, ParsedMessage } from './request-protocol.ts';

type JsonFields = Record<string, unknown>;

function isFields(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The object in a message whose fields may be large, with their names. Both sides use this: the worker removes the
 * values, and the main thread puts placeholders (`LargeValue`) in their place.
 */
export function largeFields(
  message: unknown,
  places: LargePlaces,
): { holder: JsonFields; names: readonly string[] } | null {
  if (!isFields(message)) return null;
  if (places.kind === 'input') return { holder: message, names: places.names };
  const { method, params } = message;
  if (method !== 'tools/call' || !isFields(params) || typeof params['name'] !== 'string') return null;
  const names = Object.hasOwn(places.tools, params['name']) ? (places.tools[params['name']] ?? []) : [];
  return isFields(params['arguments']) ? { holder: params['arguments'], names } : null;
}

/**
 * Parses a large message and removes its large values.
 * @throws {AppError} `invalid_input` when it is not JSON, or is too large even without those values
 */
export function parseLarge(bytes: Uint8Array, places: LargePlaces): ParsedMessage {
  const message = parseJsonBytes(bytes);
  const { holder, names } = largeFields(message, places) ?? { holder: {}, names: [] };
  const encoder = new TextEncoder();
  const large: { name: string; json: Uint8Array }[] = [];
  for (const name of names) {
    const value = Object.hasOwn(holder, name) ? holder[name] : undefined;
    if (typeof value !== 'string' && !(places.kind === 'input' && Array.isArray(value))) continue;
    large.push({ name, json: encoder.encode(JSON.stringify(value)) });
    delete holder[name];
  }
  const json = encoder.encode(JSON.stringify(message));
  if (isPlain(json)) return { json, large };
  throw new AppError(
    'invalid_input',
    'The message is too large. Only text, html and captions to be saved may be large: send less of everything else.',
  );
}
