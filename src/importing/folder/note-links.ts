import { posix } from 'node:path';

const maxLinks = 100;
const maxTarget = 1_000;
const maxText = 2_000_000;

export interface NotePlaces {
  paths: ReadonlySet<string>;
  /** By the name of the file, in lower case and without its ending. */
  byName: ReadonlyMap<string, readonly string[]>;
}

export function placesOf(paths: readonly string[]): NotePlaces {
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const name = nameIn(path);
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  return { paths: new Set(paths), byName };
}

/** Logseq writes the `/` of a page's name in two ways. */
function nameIn(path: string): string {
  return asName(posix.basename(path)).replaceAll('___', '/').replaceAll('%2f', '/');
}

const asName = (text: string): string => text.normalize('NFC').toLowerCase().replace(/\.md$/, '');

/** The files that a note links to: `[[Name]]`, `[[folder/Name#part|words]]` and `[words](folder/name.md)`. */
export function linksOf(text: string, path: string, places: NotePlaces): string[] {
  const found = new Set<string>();
  const read = text.slice(0, maxText);
  for (const [opening, closing, resolve] of [
    ['[[', ']]', wikiTarget],
    ['](', ')', pathTarget],
  ] as const)
    for (let at = read.indexOf(opening); at !== -1 && found.size < maxLinks; at = read.indexOf(opening, at + 2)) {
      const target = read.slice(at + 2, at + 2 + maxTarget);
      const end = target.indexOf(closing);
      const file = end === -1 ? undefined : resolve(target.slice(0, end), path, places);
      if (file !== undefined && file !== path) found.add(file);
    }
  return [...found];
}

/** As Obsidian resolves it: a path from the root, or the name of the nearest file. */
function wikiTarget(target: string, path: string, { byName }: NotePlaces): string | undefined {
  const name = asName(target.split(/[#|^]/, 1)[0]?.trim() ?? '');
  if (name === '') return undefined;
  const called = byName.get(name) ?? byName.get(posix.basename(name)) ?? [];
  const fitting = called.filter((one) => byName.has(name) || `/${asName(one)}`.endsWith(`/${name}`));
  const folder = posix.dirname(path);
  return fitting.find((one) => posix.dirname(one) === folder) ?? fitting.toSorted((a, b) => a.length - b.length)[0];
}

function pathTarget(target: string, path: string, { paths }: NotePlaces): string | undefined {
  const [link = ''] = target.replace(/^</, '').split(/[#>]| "/, 1);
  if (link === '' || /^[a-z][a-z0-9+.-]{0,20}:/i.test(link)) return undefined;
  try {
    const place = posix.normalize(posix.join(posix.dirname(path), decodeURIComponent(link.trim())));
    return [place, `${place}.md`].find((one) => paths.has(one));
  } catch {
    return undefined;
  }
}
