import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Pattern } from './rewrite-patterns.ts';
import { checkedWith } from './verdict.ts';

const file = fileURLToPath(new URL('known-verdicts.json', import.meta.url));

interface KnownVerdicts {
  checkedWith: string;
  safe: string[];
}

/** Names an expression by its source and flags. */
export function keyOf({ source, flags }: Pattern): string {
  return createHash('sha256').update(`/${source}/${flags}`).digest('hex').slice(0, 32);
}

/** The expressions that this checker, asked in this way, has called safe before. Another version or other parameters: none. */
export function readKnownSafe(): Set<string> {
  if (!existsSync(file)) return new Set();
  const known = JSON.parse(readFileSync(file, 'utf8')) as KnownVerdicts;
  return new Set(known.checkedWith === checkedWith ? known.safe : []);
}

export function writeKnownSafe(safe: Iterable<string>): void {
  const known: KnownVerdicts = { checkedWith, safe: [...new Set(safe)].toSorted() };
  writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`);
}
