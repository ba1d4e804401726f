export const dimensions = 384;

/** Clustered as texts are, with the nearest ones close; or noise, where all are as far as each other. */
export type VectorKind = 'clustered' | 'noise';

/** Rows of a cluster, and how far they are from its centre: cosines of about .6 within one. */
const rowsPerCluster = 100;
const spread = 0.8;

/** The same vectors of unit length every time. */
export function createVectorSource(kind: VectorKind, count: number): { next(): Float32Array } {
  let state = 0x9e3779b9;
  const bits = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  };
  /** Nearly normal: the sum of four bytes. */
  const normal = (): number => {
    const four = bits();
    return ((four & 255) + ((four >>> 8) & 255) + ((four >>> 16) & 255) + (four >>> 24) - 510) / 148;
  };
  const unit = (vector: Float32Array): Float32Array => {
    let squares = 0;
    for (const component of vector) squares += component * component;
    const length = Math.sqrt(squares);
    for (let index = 0; index < vector.length; index += 1) vector[index] = (vector[index] ?? 0) / length;
    return vector;
  };
  const random = (): Float32Array => {
    const vector = new Float32Array(dimensions);
    for (let index = 0; index < dimensions; index += 1) vector[index] = normal();
    return unit(vector);
  };
  if (kind === 'noise') return { next: random };
  const centres = Array.from({ length: Math.max(1, Math.floor(count / rowsPerCluster)) }, random);
  return {
    next() {
      const centre = centres[(bits() >>> 0) % centres.length] ?? random();
      const vector = random();
      for (let index = 0; index < dimensions; index += 1) {
        vector[index] = (centre[index] ?? 0) + spread * (vector[index] ?? 0);
      }
      return unit(vector);
    },
  };
}
