/** A vector as it is kept: component `i` is about `components[i] * scale`. */
export interface QuantizedVector {
  scale: number;
  components: Int8Array;
}

/** Spreads the vector's largest component over the whole range of a byte. */
export function quantize(vector: Float32Array): QuantizedVector {
  let largest = 0;
  for (const component of vector) largest = Math.max(largest, Math.abs(component));
  const scale = Math.fround(largest / 127);
  const components = new Int8Array(vector.length);
  if (scale > 0) vector.forEach((component, index) => (components[index] = Math.round(component / scale)));
  return { scale, components };
}
