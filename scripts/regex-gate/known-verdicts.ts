import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Pattern } from './rewrite-patterns.ts';
import { checkedWith, type Attack } from './verdict.ts';

const file = fileURLToPath(new URL('known-verdicts.json', import.meta.url));

/** What this checker, asked in this way, has said before, by `keyOf` of the expressions. */
export interface KnownVerdicts {
  safe: Set<string>;
  /** Against expressions that stay because their input is short. */
  attacks: Map<string, Attack>;
}

/** Names an expression by its source and flags. */
export function keyOf({ source, flags }: Pattern): string {
  return createHash('sha256').update(`/${source}/${flags}`).digest('hex').slice(0, 32);
}

/** Nothing, when another version of the checker or other parameters gave the verdicts. */
export function readKnownVerdicts(): KnownVerdicts {
  if (!existsSync(file)) return { safe: new Set(), attacks: new Map() };
  const known = JSON.parse(readFileSync(file, 'utf8')) as {
    checkedWith: string;
    safe: string[];
    attacks?: Record<string, Attack>;
  };
  if (known.checkedWith !== checkedWith) return { safe: new Set(), attacks: new Map() };
  return { safe: new Set(known.safe), attacks: new Map(Object.entries(known.attacks ?? {})) };
}

export function writeKnownVerdicts({ safe, attacks }: KnownVerdicts): void {
  const sorted = [...attacks].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const known = { checkedWith, safe: [...safe].toSorted(), attacks: Object.fromEntries(sorted) };
  writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`);
}
