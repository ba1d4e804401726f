/** A vector as it is kept: component `i` is about `components[i] * scale`. */
export interface QuantizedVector {
  scale: number;
  components: Int8Array;
}

/** Spreads the vector's largest component over the whole range of a byte. */
export function quantize(vector: Float32Array): QuantizedVector {
  const largest = largestOf(vector);
  const scale = Math.fround(largest / 127);
  const components = new Int8Array(vector.length);
  if (scale === 0) return { scale, components };
  for (let index = 0; index < vector.length; index += 1) components[index] = Math.round((vector[index] ?? 0) / scale);
  return { scale, components };
}

/** The size of the largest component. Here and below by index: iterators take several times as long, and each search comes by. */
function largestOf(vector: Float32Array): number {
  let largest = 0;
  for (let index = 0; index < vector.length; index += 1) largest = Math.max(largest, Math.abs(vector[index] ?? 0));
  return largest;
}

const maxShort = 32_767;
const most32Bits = 2 ** 31 - 1;

/**
 * A query in 16 bits for comparing with vectors that are kept in 8: what is lost is lost by the vectors alone. Products with any vector of
 * as many components sum up to no more than 32 bits. A multiple of 127 is the largest component, so that a query that is one of
 * the vectors stays what it is.
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

/** 0 when one of them is nothing but zeros. */
export function cosine(vector: Int8Array, query: Int16Array): number {
  let product = 0;
  for (let index = 0; index < query.length; index += 1) product += (vector[index] ?? 0) * (query[index] ?? 0);
  const lengths = lengthOf(vector) * lengthOf(query);
  return lengths === 0 ? 0 : product / lengths;
}

/**
 * How many to choose by a query in 8 bits so that the best `limit` by one in 16 are among them: in made-up vectors, clustered or not, the two orders differ by
 * some places.
 */
export function candidatesFor(limit: number): number {
  return limit + 32 + (limit >> 2);
}
