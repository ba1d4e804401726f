const run = 4;

/**
 * How much of each block stands in a page's true text, 0–1. Long blocks are known by their runs of four words; a short one counts
 * when its words stand there in a row, and as much as the long ones beside it, since "Share" or "Home" may stand anywhere.
 */
export function labelBlocks(blocks: readonly (readonly string[])[], truth: readonly string[]): number[] {
  const runs = new Set<string>();
  for (let i = 0; i + run <= truth.length; i += 1) runs.add(truth.slice(i, i + run).join(' '));
  const whole = ` ${truth.join(' ')} `;
  const known = blocks.map((words): number | 'short' | 'blank' => {
    if (words.length === 0) return 'blank';
    if (words.length <= run) return whole.includes(` ${words.join(' ')} `) ? 'short' : 0;
    let found = 0;
    for (let i = 0; i + run <= words.length; i += 1) if (runs.has(words.slice(i, i + run).join(' '))) found += 1;
    return found / (words.length - run + 1);
  });
  const sure = (from: number, step: number): number => {
    let at = from + step;
    while (typeof known[at] === 'string') at += step;
    return (known[at] as number | undefined) ?? 0;
  };
  return known.map((label, i) => {
    if (typeof label === 'number') return label;
    const beside = [sure(i, -1), sure(i, 1)] as const;
    if (label === 'blank') return Math.min(...beside);
    const highest = Math.max(...beside);
    return (blocks[i]?.length ?? 0) >= 3 ? Math.max(0.8 * highest, 0.5) : highest;
  });
}
