/** Grades of the documents that answer one query; a grade over 0 is relevant. */
export type Judgements = ReadonlyMap<string, number>;

/**
 * Normalised discounted cumulative gain of the first `depth` documents, 0–1: Σ grade ÷ log2(rank + 1), divided by
 * what the ideal order would give (the linear gain of trec_eval's `ndcg_cut`). 0 when nothing is relevant.
 */
export function ndcg(ranked: readonly string[], judgements: Judgements, depth: number): number {
  const gain = (grades: readonly number[]) =>
    grades.slice(0, depth).reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0);
  const ideal = gain([...judgements.values()].filter((grade) => grade > 0).sort((a, b) => b - a));
  return ideal === 0 ? 0 : gain(ranked.map((id) => Math.max(0, judgements.get(id) ?? 0))) / ideal;
}

/** The share of relevant documents among the first `depth` (trec_eval's `recall`). 0 when nothing is relevant. */
export function recall(ranked: readonly string[], judgements: Judgements, depth: number): number {
  const relevant = [...judgements].filter(([, grade]) => grade > 0).length;
  const found = new Set(ranked.slice(0, depth).filter((id) => (judgements.get(id) ?? 0) > 0)).size;
  return relevant === 0 ? 0 : found / relevant;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The percentile at `share` (0–1) of the values, by the nearest-rank method. NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
