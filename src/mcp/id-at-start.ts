/** How much of a message is searched for its id. */
export const maxStartBytes = 1_024;

/**
 * Finds the id of a JSON-RPC message of which only the start is known, because the rest was refused while being read.
 * Returns null when the start holds no id. Clients write the id before long values.
 */
export function idAtStart(bytes: Uint8Array): string | number | null {
  const text = Buffer.from(bytes.subarray(0, maxStartBytes)).toString('utf8');
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const sign = text[at];
    if (sign === '"') {
      const end = endOfString(text, at);
      if (end === -1) return null;
      if (depth === 1 && text.slice(at, end) === '"id"') {
        const value = valueAfterColon(text, end);
        if (value !== undefined) return value;
      }
      at = end;
      continue;
    }
    if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    at += 1;
  }
  return null;
}

/** The index after the closing quotation mark; -1 when there is none. */
function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return -1;
}

/**
 * The id after the colon: null when it is cut off or neither a string nor a number; undefined when no colon follows.
 */
function valueAfterColon(text: string, from: number): string | number | null | undefined {
  const behindName = text.slice(from).trimStart();
  if (!behindName.startsWith(':')) return undefined;
  const value = behindName.slice(1).trimStart();
  const end = value.startsWith('"') ? endOfString(value, 0) : value.search(/[,}\s]/);
  if (end === -1) return null;
  try {
    const id: unknown = JSON.parse(value.slice(0, end));
    return typeof id === 'string' || typeof id === 'number' ? id : null;
  } catch {
    return null;
  }
}
