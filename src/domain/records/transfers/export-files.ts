/* What every part of the program may know of an export. The schemas of its records are apart, because most starts need none of them. */

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
