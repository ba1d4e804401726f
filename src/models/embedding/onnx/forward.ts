import type { OnnxRuntime, OnnxSession, OnnxTensor } from './runtime.ts';

/** One text's token ids in, its unit vector out. */
export type RunOnnx = (ids: readonly number[]) => Promise<Float32Array>;

export interface OnnxOptions {
  dimensions: number;
  pooling: 'mean' | 'first';
}

/**
 * Opens a sentence model: a graph with the input `input_ids`, optionally `attention_mask` and `token_type_ids`, and an
 * output that is either `sentence_embedding` or a vector for each token. Texts run one at a time: there is no padding,
 * and a vector does not depend on other texts.
 * @param model the file's path, or its bytes
 */
export async function openOnnx(
  runtime: OnnxRuntime,
  model: string | Uint8Array,
  { dimensions, pooling }: OnnxOptions,
): Promise<RunOnnx> {
  // One thread, like the product's own kernel: embedding runs in the background.
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 };
  const session = await runtime.InferenceSession.create(model, options);
  const known = new Set(['input_ids', 'attention_mask', 'token_type_ids']);
  const unknown = session.inputNames.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`the model wants inputs that are not known here: ${unknown.join(', ')}`);
  const output = outputOf(session);
  return async (ids) => {
    const { length } = ids;
    const tensor = (values: BigInt64Array) => new runtime.Tensor('int64', values, [1, length]);
    const all: Record<string, BigInt64Array> = {
      input_ids: BigInt64Array.from(ids, BigInt),
      attention_mask: new BigInt64Array(length).fill(1n),
      token_type_ids: new BigInt64Array(length),
    };
    const inputs = session.inputNames.map((name) => [name, tensor(all[name] ?? new BigInt64Array(length))] as const);
    const { [output]: answer } = await session.run(Object.fromEntries(inputs));
    return unit(pooled(answer, dimensions, pooling));
  };
}

function outputOf({ outputNames }: OnnxSession): string {
  const name = ['sentence_embedding', 'last_hidden_state', 'token_embeddings'].find((one) => outputNames.includes(one));
  const [first] = outputNames;
  if (name === undefined && first === undefined) throw new Error('the model gives nothing');
  return name ?? first ?? '';
}

/** The model's own vector for the text, or one pooled from its tokens' vectors. */
function pooled(answer: OnnxTensor | undefined, dimensions: number, pooling: 'mean' | 'first'): Float32Array {
  if (!(answer?.data instanceof Float32Array)) throw new Error('the model gave no vector of floats');
  const { data } = answer;
  if (answer.dims.at(-1) !== dimensions || data.length < dimensions)
    throw new Error(`the model gave vectors of ${answer.dims.at(-1) ?? 0} numbers and not of ${dimensions}`);
  const vector = data.slice(0, dimensions);
  if (pooling === 'first' || answer.dims.length === 2) return vector;
  const tokens = data.length / dimensions;
  for (let token = 1; token < tokens; token += 1) {
    for (let index = 0; index < dimensions; index += 1) {
      vector[index] = (vector[index] ?? 0) + (data[token * dimensions + index] ?? 0);
    }
  }
  return vector;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((component) => component / length);
}
