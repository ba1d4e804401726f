/* A sentence model of one table, written as the protocol buffer that an .onnx file is. */

type Field = [number, number | bigint | string | Uint8Array];

function varint(value: number | bigint): number[] {
  const bytes: number[] = [];
  for (let left = BigInt(value); ; left >>= 7n) {
    if (left < 128n) return [...bytes, Number(left)];
    bytes.push(Number(left & 127n) | 128);
  }
}

function message(...fields: Field[]): Uint8Array {
  const parts = fields.flatMap(([number, value]) => {
    if (typeof value === 'number' || typeof value === 'bigint') return [...varint(number << 3), ...varint(value)];
    const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
    return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes];
  });
  return Uint8Array.from(parts);
}

const [float, int64] = [1, 7];

function tensorInfo(name: string, type: number, dims: (string | number)[]): Uint8Array {
  const shape = message(...dims.map((dim): Field => [1, message(typeof dim === 'string' ? [2, dim] : [1, dim])]));
  return message([1, name], [2, message([1, message([1, type], [2, shape])])]);
}

export interface OnnxTable {
  /** A vector for each id. */
  rows: readonly (readonly number[])[];
  inputs: readonly string[];
  output: 'last_hidden_state' | 'sentence_embedding';
}

/** Looks each of `input_ids` up in a table; as `sentence_embedding` it gives the mean of the rows. */
export function writeOnnxTable({ rows, inputs, output }: OnnxTable): Uint8Array {
  const width = rows[0]!.length;
  const isMean = output === 'sentence_embedding';
  const values = new Uint8Array(Float32Array.from(rows.flat()).buffer);
  const table = message([1, rows.length], [1, width], [2, float], [8, 'table'], [9, values]);
  const gather = message([1, 'table'], [1, 'input_ids'], [2, isMean ? 'rows' : output], [4, 'Gather']);
  const ints = 7;
  const axes = message([1, 'axes'], [8, 1], [20, ints]);
  const keep = message([1, 'keepdims'], [3, 0], [20, 2]);
  const mean = message([1, 'rows'], [2, output], [4, 'ReduceMean'], [5, axes], [5, keep]);
  const graph = message(
    [1, gather],
    ...(isMean ? [[1, mean] satisfies Field] : []),
    [2, 'table'],
    [5, table],
    ...inputs.map((name): Field => [11, tensorInfo(name, int64, ['batch', 'tokens'])]),
    [12, tensorInfo(output, float, isMean ? ['batch', width] : ['batch', 'tokens', width])],
  );
  return message([1, 8], [7, graph], [8, message([1, ''], [2, 13])]);
}
