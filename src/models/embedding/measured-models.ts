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
