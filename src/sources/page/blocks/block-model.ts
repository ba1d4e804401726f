import { readFileSync } from 'node:fs';

/**
 * Boosted decision trees that estimate how likely a block belongs to a page's content. Each tree is stored in preorder
 * as pairs: `feature, edge` for a split (is the feature at most `edges[feature][edge]`?), `-1, value` for a leaf, in
 * thousandths.
 */
interface ModelFile {
  features: number;
  base: number;
  edges: number[][];
  trees: number[][];
}

export interface BlockModel {
  /** Numbers per row, as returned by `blockFeatures`. */
  readonly features: number;
  /** Probability that the block is content, 0–1. */
  probability(row: ArrayLike<number>): number;
}

export function readBlockModel(): BlockModel {
  // `assets` is next to both `src` and `dist`.
  const file = new URL('../../../../assets/page-blocks/model.json', import.meta.url);
  return createBlockModel(JSON.parse(readFileSync(file, 'utf8')) as ModelFile);
}

export function createBlockModel({ features, base, edges, trees }: ModelFile): BlockModel {
  const compiled = trees.map((tree) => compile(tree, edges));
  return {
    features,
    probability(row) {
      let sum = base;
      for (const { feature, limit, right } of compiled) {
        let at = 0;
        // Preorder: the "yes" branch is the next node, and `right` has the index of the "no" branch.
        for (let asked = feature[at] ?? -1; asked >= 0; asked = feature[at] ?? -1)
          at = (row[asked] ?? 0) <= (limit[at] ?? 0) ? at + 1 : (right[at] ?? 0);
        sum += limit[at] ?? 0;
      }
      return 1 / (1 + Math.exp(-sum));
    },
  };
}

interface CompiledTree {
  feature: Int16Array;
  /** The limit of a split, or the value of a leaf. */
  limit: Float32Array;
  right: Uint16Array;
}

function compile(tree: readonly number[], edges: readonly (readonly number[])[]): CompiledTree {
  const size = tree.length / 2;
  const compiled = { feature: new Int16Array(size), limit: new Float32Array(size), right: new Uint16Array(size) };
  const place = (at: number): number => {
    const feature = tree[at * 2] ?? -1;
    const value = tree[at * 2 + 1] ?? 0;
    compiled.feature[at] = feature;
    compiled.limit[at] = feature < 0 ? value / 1_000 : (edges[feature]?.[value] ?? 0);
    if (feature < 0) return at + 1;
    const right = place(at + 1);
    compiled.right[at] = right;
    return place(right);
  };
  place(0);
  return compiled;
}
