/** A stored vector: component `i` is about `components[i] * scale`. */
export interface QuantizedVector {
  scale: number;
  components: Int8Array;
}

/** Scales the vector so that its largest component uses the whole range of a byte. */
export function quantize(vector: Float32Array): QuantizedVector {
  const largest = largestOf(vector);
  const scale = Math.fround(largest / 127);
  const components = new Int8Array(vector.length);
  if (scale === 0) return { scale, components };
  for (let index = 0; index < vector.length; index += 1) components[index] = Math.round((vector[index] ?? 0) / scale);
  return { scale, components };
}

/**
 * The absolute value of the largest component. Loops here and below use indexes: iterators take several times as long,
 * and this runs for every search.
 */
function largestOf(vector: Float32Array): number {
  let largest = 0;
  for (let index = 0; index < vector.length; index += 1) largest = Math.max(largest, Math.abs(vector[index] ?? 0));
  return largest;
}

const maxShort = 32_767;
const most32Bits = 2 ** 31 - 1;

/**
 * A query in 16 bits, to compare with vectors in 8 bits: then only the stored vectors lose precision. Products with any
 * vector of the same size sum up to no more than 32 bits. The largest component is a multiple of 127, so that a query
 * equal to one of the vectors stays exact.
 */
export function fineQuery(query: Float32Array): Int16Array {
  const steps = Math.floor(Math.min(maxShort, most32Bits / (127 * query.length)) / 127);
  const largest = largestOf(query);
  const fine = new Int16Array(query.length);
  if (largest === 0) return fine;
  for (let index = 0; index < query.length; index += 1) {
    fine[index] = Math.round(((query[index] ?? 0) / largest) * 127 * steps);
  }
  return fine;
}

export function lengthOf(vector: Int8Array | Int16Array | Float32Array): number {
  let squares = 0;
  for (let index = 0; index < vector.length; index += 1) squares += (vector[index] ?? 0) ** 2;
  return Math.sqrt(squares);
}

/** 0 when one of the vectors is all zeros. */
export function cosine(vector: Int8Array, query: Int16Array): number {
  let product = 0;
  for (let index = 0; index < query.length; index += 1) product += (vector[index] ?? 0) * (query[index] ?? 0);
  const lengths = lengthOf(vector) * lengthOf(query);
  return lengths === 0 ? 0 : product / lengths;
}

/**
 * How many candidates to choose with a query in 8 bits, so that the best `limit` with a query in 16 bits are among
 * them. In made-up vectors, clustered or not, the two orders differ by some places.
 */
export function candidatesFor(limit: number): number {
  return limit + 32 + (limit >> 2);
}
