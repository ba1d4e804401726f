/*
 * Checks every regular expression of the product: `npm run check:regex`. One that an attacker's text can keep busy for longer than in
 * proportion to its length fails, unless `bounded-patterns.ts` names the bound on its input. `--write` remembers the verdicts of new
 * expressions; `--fresh` forgets the remembered ones first and so repeats every check (some ten minutes). A path checks only what lies
 * under it: `npm run check:regex -- src/domain`.
 */
import { fileURLToPath } from 'node:url';
import { boundedPatterns, builtPatterns } from './bounded-patterns.ts';
import { findPatterns, type FoundPattern } from './find-patterns.ts';
import { keyOf, readKnownSafe, writeKnownSafe } from './known-verdicts.ts';
import { verdictOf } from './verdict.ts';

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

const knownSafe = fresh ? new Set<string>() : readKnownSafe();
const safe = new Set<string>();
let asked = 0;
const remember = (): void => writeKnownSafe([...safe, ...all.map(keyOf).filter((key) => knownSafe.has(key))]);
for (const pattern of toCheck) {
  const key = keyOf(pattern);
  if (safe.has(key) || knownSafe.has(key)) {
    safe.add(key);
    continue;
  }
  asked += 1;
  const verdict = verdictOf(pattern);
  if (verdict.status === 'safe') {
    safe.add(key);
    if (write && asked % 10 === 0) remember();
  } else {
    const why =
      verdict.status === 'vulnerable'
        ? `${verdict.complexity}: ${verdict.attackText}`
        : `undecided (${verdict.reason})`;
    report(`${pattern.at} ${why}\n  /${pattern.source}/${pattern.flags}`);
  }
}
if (write) remember();

say(`${toCheck.length} regular expressions, ${asked} of them asked of the checker now: ${faults} faults.`);
if (asked > 0 && !write) say('`npm run check:regex -- --write` remembers the new verdicts.');
if (faults > 0) process.exitCode = 1;
