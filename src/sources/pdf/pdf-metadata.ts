import type { PDFDocumentProxy } from 'pdfjs-dist';
import { languageTag } from '../language/language.ts';
import { parsePublished } from '../page/metadata/published-date.ts';
import type { OutlineEntry } from './styles.ts';

export async function readMetadata(document: PDFDocumentProxy) {
  // Ignore damaged metadata, so that the text is not lost.
  const found = await document.getMetadata().catch(() => null);
  const info = (found?.info ?? {}) as Record<string, unknown>;
  const xmp = (name: string): string | null => text(found?.metadata?.get(name));
  return {
    title: properTitle(text(info['Title'])) ?? properTitle(xmp('dc:title')),
    author: properAuthor(text(info['Author'])) ?? properAuthor(xmp('dc:creator')),
    publishedAt: pdfDate(text(info['CreationDate'])) ?? parsePublished(xmp('xmp:createdate')),
    language: languageTag(text(info['Language'])),
  };
}

/** XMP lists are returned as arrays. */
function text(value: unknown): string | null {
  const one = Array.isArray(value) ? value.filter((part) => typeof part === 'string').join(', ') : value;
  if (typeof one !== 'string') return null;
  return one.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() || null;
}

/** Rejects useless titles: many programs write their own name, the file's name or a placeholder as the title. */
export function properTitle(title: string | null): string | null {
  if (title === null) return null;
  const bare = title.replace(/^(?:Microsoft\s+(?:Word|PowerPoint|Excel|Publisher)\s*[-–:]\s*)/i, '').trim();
  const isFile =
    /\.(?:docx?|pptx?|xlsx?|pdf|tex|dvi|odt|rtf|indd|qxd|wpd|ps|eps|html?|txt|pages|md)$/i.test(bare) ||
    /[\\/]/.test(bare);
  return isFile || isPlaceholder(bare) || !/\p{L}{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(bare)
    ? null
    : bare;
}

export function properAuthor(author: string | null): string | null {
  return author === null || !/\p{L}{2}/u.test(author) || isPlaceholder(author) ? null : author;
}

/** Placeholders of programs for a missing title or author: "(anonymous)", "Untitled-1", "slide 1". */
const placeholders = new Set(
  (
    'admin,administrator,anonymous,author,default,document,full page,layout,microsoft,microsoft office,' +
    'microsoft office user,microsoft user,no title,none,null,owner,powerpoint presentation,print,root,slide,test,title,' +
    'unbekannt,unknown,unspecified,untitled,user'
  ).split(','),
);

function isPlaceholder(text: string): boolean {
  const words = text.toLowerCase().replaceAll(/[^\p{L}]+/gu, ' ');
  return placeholders.has(words.trim());
}

/** Parses `D:20240305101500+01'00'`, also if it is truncated. */
function pdfDate(date: string | null): string | null {
  const found = /^(?:D:)?\s*(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?\s*(?:(Z)|([+-]\d{2})'?(\d{2})?)?/.exec(
    date ?? '',
  );
  if (found === null) return parsePublished(date);
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', utc, hours, minutes = '00'] =
    found;
  const zone = utc !== undefined || hours === undefined ? 'Z' : `${hours}:${minutes}`;
  return parsePublished(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
}

const maxEntries = 2_000;

export async function readOutline(document: PDFDocumentProxy): Promise<OutlineEntry[]> {
  const outline = (await document.getOutline().catch(() => null)) ?? [];
  const entries: OutlineEntry[] = [];
  const waiting = outline.map((entry) => ({ entry, depth: 0 })).toReversed();
  for (let next = waiting.pop(); next !== undefined && entries.length < maxEntries; next = waiting.pop()) {
    const { entry, depth } = next;
    entries.push({ title: entry.title, depth });
    for (const child of entry.items.toReversed()) waiting.push({ entry: child, depth: depth + 1 });
  }
  return entries;
}
