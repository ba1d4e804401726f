/* Constants of an export, without the schemas of its records, which most starts do not need. */

/** The files of an export that an import reads. */
export const exportFiles = {
  manifest: 'commonplace.json',
  checksums: 'checksums.sha256',
  items: 'records/items.jsonl.gz',
  goals: 'goals.jsonl',
  lists: 'lists.jsonl',
  sources: 'sources.jsonl',
  history: 'history.jsonl',
} as const;

/** A longer text of the history is cut when it is exported. */
export const maxHistoryText = 100_000;

/** Bytes in which the id of a file is looked for. */
export const maxHead = 4_096;

/**
 * The id of the item of which `export --watch` writes this file, or to which its copy after a conflict belongs; null for any
 * other Markdown. Whoever imports or watches a folder leaves these files out.
 * @param head the first `maxHead` bytes of the file, or more
 */
export function itemIdOf(head: string): { id: string; isCopy: boolean } | null {
  const text = head.replace(/^\ufeff/, '');
  const lines = text
    .slice(0, maxHead)
    .split('\n')
    .map((line) => line.trimEnd());
  if (lines[0] !== '---') return null;
  for (const line of lines.slice(1)) {
    if (line === '---') return null;
    const [, name, id] = /^(id|conflict_of): ["']?(c_[a-z2-7]{16})["']?$/.exec(line) ?? [];
    if (id !== undefined) return { id, isCopy: name !== 'id' };
  }
  return null;
}
