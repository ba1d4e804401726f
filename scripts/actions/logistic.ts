/** Logistic regression over sparse rows: gradient descent over all rows with Adam (Kingma, Ba, ICLR 2015). */

export interface SparseRow {
  columns: Int32Array;
  values: Float32Array;
  /** 0 or 1 */
  label: number;
  /** How often it counts. */
  weight: number;
}

export interface LinearModel {
  bias: number;
  weights: Float64Array;
}

export function score(
  { bias, weights }: LinearModel,
  { columns, values }: Pick<SparseRow, 'columns' | 'values'>,
): number {
  let sum = bias;
  for (let k = 0; k < columns.length; k += 1) sum += (weights[columns[k] as number] as number) * (values[k] as number);
  return sum;
}

/** @param penalties of each column's squared weight, against the sum over all rows */
export function fit(rows: readonly SparseRow[], penalties: Float32Array, steps = 200): LinearModel {
  const size = penalties.length + 1;
  const last = size - 1;
  const model: LinearModel = { bias: 0, weights: new Float64Array(last) };
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const [gradient, first, second] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  for (let step = 1; step <= steps; step += 1) {
    gradient.fill(0);
    for (const row of rows) {
      const error = (row.weight * (1 / (1 + Math.exp(-score(model, row))) - row.label)) / total;
      for (let k = 0; k < row.columns.length; k += 1) {
        const at = row.columns[k] as number;
        gradient[at] = (gradient[at] as number) + error * (row.values[k] as number);
      }
      gradient[last] = (gradient[last] as number) + error;
    }
    const rate = 0.05 * Math.min(1, (2 * (steps - step)) / steps);
    for (let k = 0; k < size; k += 1) {
      const shrink = k === last ? 0 : ((penalties[k] as number) * (model.weights[k] as number)) / total;
      const slope = (gradient[k] as number) + shrink;
      first[k] = 0.9 * (first[k] as number) + 0.1 * slope;
      second[k] = 0.999 * (second[k] as number) + 0.001 * slope * slope;
      const mean = (first[k] as number) / (1 - 0.9 ** step);
      const change = (rate * mean) / (Math.sqrt((second[k] as number) / (1 - 0.999 ** step)) + 1e-8);
      if (k === last) model.bias -= change;
      else model.weights[k] = (model.weights[k] as number) - change;
    }
  }
  return model;
}
