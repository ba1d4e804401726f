import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** Properties of a model, measured at its first answer. */
export interface MeasuredModel {
  dimensions: number;
  /** See `Embedder.unrelatedCosine`. */
  unrelatedCosine: number;
}

/** Stores the measurements, so that models' ids are known at the next start without asking them. */
export interface MeasuredModels {
  find(key: string): MeasuredModel | undefined;
  keep(key: string, measured: MeasuredModel): void;
}

const file = z.record(z.string(), z.object({ dimensions: z.int().positive(), unrelatedCosine: z.number() }));

/** Stores measurements in a small JSON file. An unreadable file counts as empty: its models are measured again. */
export function openMeasuredModels(path: string): MeasuredModels {
  const read = (): z.infer<typeof file> => {
    try {
      return file.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch {
      return {};
    }
  };
  return {
    find: (key) => read()[key],
    keep(key, measured) {
      const text = `${JSON.stringify({ ...read(), [key]: measured }, null, 2)}\n`;
      writeFileSync(`${path}.${process.pid}`, text);
      renameSync(`${path}.${process.pid}`, path);
    },
  };
}

/**
 * Queries and passages, none of which match: the mean cosine of these pairs is the model's cosine for unrelated texts.
 */
export const unrelatedTexts: { queries: readonly string[]; passages: readonly string[] } = {
  queries: [
    'How long does sourdough have to rest?',
    'What causes the tides of the sea?',
    'Who may vote in a tenants’ meeting?',
    'error when the database connection is closed',
  ],
  passages: [
    'The violinist tuned her instrument for the last time and walked onto the stage, where the orchestra was waiting.',
    'Running shoes lose their cushioning after some eight hundred kilometres, even when the soles still look new.',
    'In the spring the beekeeper looks through the hives, counts the frames with brood and removes what is mouldy.',
    'The painter mixed lead white with a little ochre, so that the faces seem lit by a candle from below.',
  ],
};

/** The mean cosine of all pairs of a query and a passage, limited to 0 to .95. */
export function meanCosine(queries: readonly Float32Array[], passages: readonly Float32Array[]): number {
  let sum = 0;
  for (const query of queries) {
    for (const passage of passages) {
      for (const [index, component] of query.entries()) sum += component * (passage[index] ?? 0);
    }
  }
  return Math.min(0.95, Math.max(0, sum / (queries.length * passages.length)));
}
