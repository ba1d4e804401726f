/*
 * Whether reading stays linear on hostile texts: each function on each kind of text at two lengths, and the pairs whose
 * time grows faster than the text. `node bench/text.ts [length]`; lengths are `length` (20,000) and four times that.
 */
import { AppError, ProcessingError } from '../src/errors.ts';
import { hostileStrings } from '../tests/support/texts/hostile-strings.ts';
import { textFunctions } from '../tests/support/texts/text-functions.ts';

const length = Number(process.argv[2] ?? 20_000);
/** Shorter times are noise, and of no harm. */
const minMs = 20;
/** A linear function has 4; caches and collections add to that. */
const worstRatio = 7;

const short = hostileStrings(length);
const long = hostileStrings(length * 4);
const rows: { function: string; text: string; ms: number; 'ms at 4×': number; ratio: number }[] = [];
const slowest: Record<string, { text: string; ms: number }> = {};

for (const [name, run] of Object.entries(textFunctions)) {
  for (const [i, { name: kind, text }] of short.entries()) {
    const ms = await fastest(run, text);
    const more = await fastest(run, long[i]?.text ?? '');
    if (more > (slowest[name]?.ms ?? 0)) slowest[name] = { text: kind, ms: Math.round(more) };
    if (more < minMs || more / ms < worstRatio) continue;
    rows.push({ function: name, text: kind, ms: round(ms), 'ms at 4×': round(more), ratio: round(more / ms) });
  }
}

console.log(`The slowest text of ${length * 4} characters for each function`);
console.table(slowest);
console.log(`Pairs that take over ${minMs} ms and over ${worstRatio} times as long for a text four times as long`);
console.table(rows.toSorted((a, b) => b['ms at 4×'] - a['ms at 4×']));

/** Of three runs, or of one when it is slow. */
async function fastest(run: (text: string) => unknown, text: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 && (i === 0 || best < 200); i += 1) {
    const start = process.threadCpuUsage();
    try {
      await run(text);
    } catch (error) {
      if (!(error instanceof AppError || error instanceof ProcessingError)) throw error;
    }
    // Time on the processor: a busy machine would make every other ratio look bad.
    const { user, system } = process.threadCpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
