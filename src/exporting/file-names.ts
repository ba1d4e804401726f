/*
 * Names of files made of titles. A title comes from outside: it may hold a path, a name that Windows keeps for devices, or
 * characters that a system or Obsidian's links do not allow.
 */

/** In UTF-16 units; in UTF-8 that is at most 240 bytes, and systems allow 255. */
const maxName = 80;
/** Not allowed on Windows, in links of Obsidian, or at all. */
const refused = /["*/:<>?\\|#^[\]\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu;
/** Also with an ending, and with superscript digits. */
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** Names differ whatever the case of their letters. `taken`: folded names; new ones are added. */
export function createFileNames(taken = new Set<string>()): (title: string | null, id: string) => string {
  return (title, id) => {
    const name = safeName(title ?? '') || id;
    const own = taken.has(foldedName(name)) ? `${cut(name, maxName - id.length - 1)} ${id}` : name;
    taken.add(foldedName(own));
    return own;
  };
}

/** Equal for names that a file system may take for the same. */
export const foldedName = (name: string): string => name.normalize('NFKC').toLowerCase().normalize('NFKC');

/** Empty when none of its characters are allowed. */
export function safeName(title: string): string {
  const plain = title.slice(0, 2_000).toWellFormed().normalize('NFC').replaceAll(refused, ' ').replaceAll(/\s+/g, ' ');
  // Leading dots hide a file, and Windows takes away dots and spaces at the end.
  const short = trimmed(cut(trimmed(plain), maxName));
  return devices.test(short) ? `_${short}` : short;
}

function trimmed(name: string): string {
  let [start, end] = [0, name.length];
  while (start < end && (name[start] === '.' || name[start] === ' ')) start += 1;
  while (end > start && (name[end - 1] === '.' || name[end - 1] === ' ')) end -= 1;
  return name.slice(start, end);
}

/** Does not cut a character in half. */
function cut(name: string, length: number): string {
  if (name.length <= length) return name;
  const short = name.slice(0, length);
  return short.isWellFormed() ? short : short.slice(0, -1);
}

const endings: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/pdf': 'pdf',
  'application/epub+zip': 'epub',
  'application/json': 'json',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/vtt': 'vtt',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'application/rss+xml': 'xml',
  'application/atom+xml': 'xml',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
};

/** The ending of an original by its declared type. Other types get `bin`, which no system opens by itself. */
export function endingOf(declaredType: string | null): string {
  const type = (declaredType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return Object.hasOwn(endings, type) ? (endings[type] ?? 'bin') : type.endsWith('+json') ? 'json' : 'bin';
}
