/*
 * Checks every regular expression of the product: `npm run check:regex`. One that an attacker's text can keep busy for longer than in
 * proportion to its length fails, unless `bounded-patterns.ts` names the bound on its input. `--write` remembers the verdicts of new
 * expressions; `--fresh` forgets the remembered ones first and so repeats every check (a quarter of an hour). A path checks only what lies
 * under it: `npm run check:regex -- src/domain`.
 */
import { fileURLToPath } from 'node:url';
import { boundedPatterns, builtPatterns } from './bounded-patterns.ts';
import { findPatterns, type FoundPattern } from './find-patterns.ts';
import { keyOf, readKnownVerdicts, writeKnownVerdicts, type KnownVerdicts } from './known-verdicts.ts';
import type { Pattern } from './rewrite-patterns.ts';
import { verdictOf, type Verdict } from './verdict.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const fresh = process.argv.includes('--fresh');
const write = fresh || process.argv.includes('--write');

const under = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isAsked = ({ file }: { file: string }): boolean =>
  under.length === 0 || under.some((path) => file.startsWith(path));

const { known, built } = await findPatterns(root);
let faults = 0;
const report = (fault: string): void => {
  faults += 1;
  say(fault);
};

for (const { at, file, code } of built.filter(isAsked)) {
  if (!builtPatterns.some((named) => named.file === file && named.code === code)) {
    report(`${at} builds an expression: name it in bounded-patterns.ts, with what its parts can be.\n  ${code}`);
  }
}
for (const { file, code } of builtPatterns) {
  if (!built.some((found) => found.file === file && found.code === code)) {
    report(`bounded-patterns.ts names an expression that ${file} no longer builds: remove it.\n  ${code}`);
  }
}
for (const { file, source, flags } of boundedPatterns) {
  if (!known.some((found) => found.file === file && found.source === source && found.flags === flags)) {
    report(`bounded-patterns.ts names an expression that ${file} no longer has: remove it.\n  /${source}/${flags}`);
  }
}

const isBounded = (pattern: FoundPattern): boolean =>
  boundedPatterns.some(
    ({ file, source, flags }) => file === pattern.file && source === pattern.source && flags === pattern.flags,
  );
const examples = builtPatterns.flatMap((named) =>
  named.examples.map((pattern) => ({ ...pattern, at: `an example for ${named.file}`, file: named.file })),
);
const all = [...known, ...examples].filter((pattern) => !isBounded(pattern));
const toCheck = all.filter(isAsked);

const before: KnownVerdicts = fresh ? { safe: new Set(), attacks: new Map() } : readKnownVerdicts();
const now: KnownVerdicts = { safe: new Set(), attacks: new Map() };
// What is not asked about this time, and is still there, is not forgotten.
for (const key of all.map(keyOf)) if (before.safe.has(key)) now.safe.add(key);
for (const key of boundedPatterns.map(keyOf)) {
  const attack = before.attacks.get(key);
  if (attack !== undefined) now.attacks.set(key, attack);
}
let asked = 0;
const ask = (pattern: Pattern): Verdict => {
  asked += 1;
  const verdict = verdictOf(pattern);
  if (verdict.status === 'safe') now.safe.add(keyOf(pattern));
  if (write && asked % 10 === 0) writeKnownVerdicts(now);
  return verdict;
};

for (const pattern of toCheck) {
  if (now.safe.has(keyOf(pattern))) continue;
  const verdict = ask(pattern);
  if (verdict.status === 'safe') continue;
  const why =
    verdict.status === 'vulnerable' ? `${verdict.complexity}: ${verdict.attackText}` : `undecided (${verdict.reason})`;
  report(`${pattern.at} ${why}\n  /${pattern.source}/${pattern.flags}`);
}
// The attacks, which the tests make on what is bounded.
for (const pattern of boundedPatterns.filter(isAsked)) {
  if (pattern.verdict === 'undecided' || now.attacks.has(keyOf(pattern))) continue;
  const verdict = ask(pattern);
  if (verdict.status === 'vulnerable') now.attacks.set(keyOf(pattern), verdict.attack);
  else report(`bounded-patterns.ts calls ${pattern.file} /${pattern.source}/ vulnerable, and it is ${verdict.status}.`);
}
if (write) writeKnownVerdicts(now);

say(`${toCheck.length} regular expressions, ${asked} of them asked of the checker now: ${faults} faults.`);
if (asked > 0 && !write) say('`npm run check:regex -- --write` remembers the new verdicts.');
if (faults > 0) process.exitCode = 1;
