/*
 * Refuses each regular expression that a text can keep busy for longer than in proportion to its length, unless a comment above it bounds its
 * input: then the checker's own attack is tried at that length. `npm run check:regex -- --write` remembers new verdicts in verdicts.txt;
 * without that file all are found again (a quarter of an hour).
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findPatterns } from './find-patterns.ts';
import { checkedWith, isConstant, refusal } from './verdict.ts';

const file = fileURLToPath(new URL('verdicts.txt', import.meta.url));
const [by, ...keys] = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
const known = new Set(by === checkedWith ? keys : []);

const { patterns, faults } = await findPatterns(fileURLToPath(new URL('../..', import.meta.url)));
const mayStay = new Set<string>();
for (const pattern of patterns) {
  const { at, source, flags, maxInput = '' } = pattern;
  if (maxInput === '' && isConstant(pattern)) continue;
  const key = createHash('sha256').update(`/${source}/${flags}${maxInput}`).digest('hex').slice(0, 32);
  const why = known.has(key) || mayStay.has(key) ? null : refusal(pattern);
  if (why === null) mayStay.add(key);
  else faults.push(`${at} ${why}\n  /${source}/${flags}`);
}
if (process.argv.includes('--write')) writeFileSync(file, `${[checkedWith, ...[...mayStay].toSorted()].join('\n')}\n`);
const found = [...mayStay].filter((key) => !known.has(key)).length;
faults.push(`${patterns.length} regular expressions, ${found} new ones that may stay, ${faults.length} faults.`);
process.stdout.write(`${faults.join('\n')}\n`);
if (faults.length > 1) process.exitCode = 1;
