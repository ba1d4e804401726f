import { openFloatWeights } from './float-weights.ts';
import { openKernel, chooseKernel } from '../minilm/kernel.ts';
import { openMiniLm, type RunOptions } from '../minilm/forward.ts';
import { matricesOf, type InputFactors } from '../quantise.ts';

/** Share of the spread that moves from activations to weights; as in scripts/export-model/quantise.py. */
const share = 0.6;

/**
 * Finds the factors that a matrix's inputs are divided by. They move some of the activations' spread into the weights,
 * which tolerate it better (the idea of SmoothQuant, Xiao et al. 2022). They are computed from the largest activations
 * that `texts` cause in the model quantised without factors.
 * @param quantised a file written by `quantiseModel`
 */
export function findInputFactors(
  source: string,
  quantised: string,
  texts: readonly (readonly number[])[],
  options: RunOptions,
): InputFactors {
  const largest = new Map<string, Float32Array>();
  const observe: RunOptions['observe'] = (matrix, rows, count) => {
    const inputs = rows.length / ((count + 3) & ~3);
    const most = largest.get(matrix) ?? new Float32Array(inputs);
    largest.set(matrix, most);
    for (let at = 0; at < count * inputs; at += 1) {
      const size = Math.abs(rows[at] ?? 0);
      if (size > (most[at % inputs] ?? 0)) most[at % inputs] = size;
    }
  };
  const run = openMiniLm(openKernel(chooseKernel()), quantised, { ...options, observe });
  for (const ids of texts) run(ids);
  run.close();
  const weights = openFloatWeights(source);
  try {
    return new Map(
      Array.from({ length: weights.layers }, (_, layer) => matricesOf(layer))
        .flat()
        .map(({ name, sources, inputs }) => {
          const weight = new Float32Array(inputs);
          for (const part of sources) {
            for (const [at, value] of weights.read(`${part}.weight`).entries()) {
              weight[at % inputs] = Math.max(weight[at % inputs] ?? 0, Math.abs(value));
            }
          }
          return [name, factorsOf(largest.get(name) ?? weight, weight)];
        }),
    );
  } finally {
    weights.close();
  }
}

function factorsOf(activations: Float32Array, weights: Float32Array): Float32Array {
  const logs = Array.from(activations, (activation, input) => {
    const weight = Math.max(weights[input] ?? 0, 1e-5);
    return share * Math.log(Math.max(activation, 1e-5)) - (1 - share) * Math.log(weight);
  });
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  return Float32Array.from(logs, (log) => Math.exp(log - mean));
}
