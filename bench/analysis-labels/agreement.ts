/** How far two labellers agree: `node bench/analysis-labels/agreement.ts <labels> <labels>`, files of lines `id<TAB>label`. */
import { readFileSync } from 'node:fs';

const [first, second] = process.argv.slice(2, 4).map(
  (file) =>
    new Map(
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .flatMap(([id, label]) =>
          id === undefined || label === undefined ? [] : [[id, label.toLowerCase()] as const],
        ),
    ),
);
if (first === undefined || second === undefined) throw new Error('usage: agreement.ts <labels> <labels>');
const both = [...first].flatMap(([id, label]) => {
  const other = second.get(id);
  return other === undefined ? [] : [{ id, label, other }];
});
const share = (count: number): number => count / both.length;
const labels = [...new Set(both.flatMap(({ label, other }) => [label, other]))].sort();
const agreed = share(both.filter(({ label, other }) => label === other).length);
const expected = labels.reduce(
  (sum, name) =>
    sum +
    share(both.filter(({ label }) => label === name).length) * share(both.filter(({ other }) => other === name).length),
  0,
);
console.log(`${both.length} rows labelled by both (${first.size} and ${second.size})`);
console.log(`agreement ${agreed.toFixed(3)}, Cohen's kappa ${((agreed - expected) / (1 - expected)).toFixed(3)}`);
console.table(
  Object.fromEntries(
    labels.map((name) => [
      name,
      Object.fromEntries(
        labels.map((to) => [to, both.filter(({ label, other }) => label === name && other === to).length]),
      ),
    ]),
  ),
);
console.log(
  `differ: ${both.flatMap(({ id, label, other }) => (label === other ? [] : [`${id} ${label}/${other}`])).join(', ')}`,
);
