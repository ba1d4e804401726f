/*
 * Gradient boosting of decision trees with logistic loss over binned features: T. Chen, C. Guestrin, XGBoost (KDD 2016), section 2,
 * with histograms in place of sorted values. Only what the page model needs.
 */

export interface TrainingRows {
  /** One column per feature, one number per row in each. */
  columns: readonly Float32Array[];
  /** 0–1 */
  labels: Float32Array;
  weights: Float32Array;
}

export interface BoostingSettings {
  trees: number;
  depth: number;
  rate: number;
  seed: number;
}

/** As `src/sources/page/blocks/block-model.ts` reads it. */
export interface TrainedModel {
  features: number;
  base: number;
  edges: number[][];
  trees: number[][];
}

const maxBins = 48;
const smoothing = 1;
/** Of the second derivatives that a leaf has to hold. */
const minInLeaf = 3;
const shareOfRows = 0.6;
const shareOfColumns = 0.4;

export interface BinnedColumns {
  edges: number[][];
  bins: Uint8Array[];
}

export function binColumns(columns: readonly Float32Array[]): BinnedColumns {
  const edges = columns.map(edgesOf);
  const bins = columns.map((column, j) => Uint8Array.from(column, (value) => binOf(value, edges[j] ?? [])));
  return { edges, bins };
}

function edgesOf(column: Float32Array): number[] {
  const step = Math.max(1, Math.floor(column.length / 20_000));
  const sample = column.filter((_, i) => i % step === 0).toSorted();
  const different = [...new Set(sample)];
  const found =
    different.length <= maxBins
      ? different.slice(1).map((value, i) => (value + (different[i] ?? value)) / 2)
      : Array.from({ length: maxBins - 1 }, (_, k) => sample[Math.floor(((k + 1) * sample.length) / maxBins)] ?? 0);
  return [...new Set(found.map((value) => Number(value.toPrecision(4))))].toSorted((a, b) => a - b);
}

function binOf(value: number, edges: readonly number[]): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value > (edges[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param chosen the rows to learn from */
export function trainTrees(
  { edges, bins }: BinnedColumns,
  { labels, weights }: Omit<TrainingRows, 'columns'>,
  chosen: Int32Array,
  settings: BoostingSettings,
): TrainedModel {
  const random = randomFrom(settings.seed);
  let weight = 0;
  let positive = 0;
  for (const i of chosen) {
    weight += weights[i] ?? 0;
    positive += (weights[i] ?? 0) * (labels[i] ?? 0);
  }
  const base = Math.log(positive / (weight - positive));
  const sums = new Float64Array(labels.length).fill(base);
  const gradients = new Float32Array(labels.length);
  const curvatures = new Float32Array(labels.length);
  const trees: number[][] = [];
  for (let n = 0; n < settings.trees; n += 1) {
    const rows = chosen.filter(() => random() < shareOfRows);
    for (const i of rows) {
      const p = 1 / (1 + Math.exp(-(sums[i] ?? 0)));
      gradients[i] = (weights[i] ?? 0) * (p - (labels[i] ?? 0));
      curvatures[i] = Math.max(1e-9, (weights[i] ?? 0) * p * (1 - p));
    }
    const features = bins.flatMap((_, j) => (random() < shareOfColumns ? [j] : []));
    const tree = growTree({ edges, bins }, gradients, curvatures, rows, features, settings);
    addTree(tree, bins, chosen, sums);
    trees.push(tree);
  }
  return { features: bins.length, base: Number(base.toFixed(4)), edges, trees };
}

function growTree(
  { edges, bins }: BinnedColumns,
  gradients: Float32Array,
  curvatures: Float32Array,
  all: Int32Array,
  features: readonly number[],
  { depth, rate }: BoostingSettings,
): number[] {
  const tree: number[] = [];
  /** Sums of gradients and curvatures by feature and bin. */
  const histogramOf = (rows: Int32Array): Float64Array => {
    const sums = new Float64Array(features.length * maxBins * 2);
    for (const [n, feature] of features.entries()) {
      const column = bins[feature] as Uint8Array;
      const offset = n * maxBins;
      for (let k = 0; k < rows.length; k += 1) {
        const i = rows[k] as number;
        const at = (offset + (column[i] as number)) * 2;
        sums[at] = (sums[at] as number) + (gradients[i] as number);
        sums[at + 1] = (sums[at + 1] as number) + (curvatures[i] as number);
      }
    }
    return sums;
  };

  const grow = (rows: Int32Array, level: number, known: Float64Array | null): void => {
    let gradient = 0;
    let curvature = 0;
    for (const i of rows) {
      gradient += gradients[i] ?? 0;
      curvature += curvatures[i] ?? 0;
    }
    const sums = level === depth || curvature < 2 * minInLeaf ? null : (known ?? histogramOf(rows));
    const split = sums === null ? null : bestSplit(sums, gradient, curvature);
    if (sums === null || split === null) {
      tree.push(-1, Math.round((-gradient / (curvature + smoothing)) * rate * 1_000));
      return;
    }
    tree.push(split.feature, split.bin);
    const [low, high] = parted(rows, bins[split.feature] ?? new Uint8Array(), split.bin);
    if (level + 1 === depth) {
      grow(low, depth, null);
      grow(high, depth, null);
      return;
    }
    // The sums of one half are those of the whole without the other's.
    const fewer = histogramOf(low.length < high.length ? low : high);
    const rest = sums.map((sum, k) => sum - (fewer[k] as number));
    grow(low, level + 1, low.length < high.length ? fewer : rest);
    grow(high, level + 1, low.length < high.length ? rest : fewer);
  };

  function bestSplit(sums: Float64Array, gradient: number, curvature: number): { feature: number; bin: number } | null {
    const whole = (gradient * gradient) / (curvature + smoothing);
    let best: { feature: number; bin: number } | null = null;
    let bestGain = 1e-6;
    for (const [n, feature] of features.entries()) {
      const count = (edges[feature]?.length ?? 0) + 1;
      let left = 0;
      let leftCurvature = 0;
      for (let bin = 0; bin < count - 1; bin += 1) {
        left += sums[(n * maxBins + bin) * 2] as number;
        leftCurvature += sums[(n * maxBins + bin) * 2 + 1] as number;
        const rest = curvature - leftCurvature;
        if (leftCurvature < minInLeaf) continue;
        if (rest < minInLeaf) break;
        const gain = (left * left) / (leftCurvature + smoothing) + (gradient - left) ** 2 / (rest + smoothing) - whole;
        if (gain > bestGain) {
          bestGain = gain;
          best = { feature, bin };
        }
      }
    }
    return best;
  }

  grow(all, 0, null);
  return tree;
}

/** The rows whose bin is at most `limit`, and the others. */
function parted(rows: Int32Array, column: Uint8Array, limit: number): [low: Int32Array, high: Int32Array] {
  const low = new Int32Array(rows.length);
  const high = new Int32Array(rows.length);
  let lows = 0;
  let highs = 0;
  for (let k = 0; k < rows.length; k += 1) {
    const i = rows[k] as number;
    if ((column[i] as number) <= limit) low[lows++] = i;
    else high[highs++] = i;
  }
  return [low.subarray(0, lows), high.subarray(0, highs)];
}

function addTree(tree: readonly number[], bins: readonly Uint8Array[], rows: Int32Array, sums: Float64Array): void {
  const right = new Map<number, number>();
  const place = (at: number): number => {
    if ((tree[at * 2] ?? -1) < 0) return at + 1;
    const no = place(at + 1);
    right.set(at, no);
    return place(no);
  };
  place(0);
  for (const i of rows) {
    let at = 0;
    for (let feature = tree[0] ?? -1; feature >= 0; feature = tree[at * 2] ?? -1) {
      at = (bins[feature]?.[i] ?? 0) <= (tree[at * 2 + 1] ?? 0) ? at + 1 : (right.get(at) ?? 0);
    }
    sums[i] = (sums[i] ?? 0) + (tree[at * 2 + 1] ?? 0) / 1_000;
  }
}

/** A linear congruential generator (Numerical Recipes): the same model from the same pages. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
