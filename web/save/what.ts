/** What the text of the field is: addresses of pages, or a note. */
export type What =
  | { kind: 'nothing' }
  | { kind: 'pages'; addresses: string[] }
  | { kind: 'note'; text: string; words: number };

/** Tags and words that are saved with something. */
export interface About {
  tags: string[];
  notes: string;
}

/** Looks at lines, not at patterns within them: a text that only mentions an address is a note. */
export function whatIs(typed: string): What {
  const text = typed.trim();
  if (text === '') return { kind: 'nothing' };
  const lines = text.split('\n').map((line) => line.trim());
  const addresses = lines.filter((line) => line !== '').map(addressOf);
  if (addresses.every((address) => address !== null)) return { kind: 'pages', addresses };
  return { kind: 'note', text: typed, words: text.split(/\s+/).length };
}

/** An address as people paste or type it; null for everything else. */
function addressOf(line: string): string | null {
  if (/\s/.test(line)) return null;
  if (/^https?:\/\//i.test(line)) return URL.canParse(line) ? line : null;
  return /^[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[a-z]{2,24}(?:[/?#]|$)/i.test(line) ? `https://${line}` : null;
}

export function tagsOf(typed: string): string[] {
  return typed
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
