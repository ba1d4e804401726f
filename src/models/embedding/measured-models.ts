import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** What a model behind a server was found to be, the first time that it answered. */
export interface MeasuredModel {
  dimensions: number;
  /** See `Embedder.unrelatedCosine`. */
  unrelatedCosine: number;
}

/** Remembers what models were found to be, so that their ids are known before they are asked again. */
export interface MeasuredModels {
  find(key: string): MeasuredModel | undefined;
  keep(key: string, measured: MeasuredModel): void;
}

const file = z.record(z.string(), z.object({ dimensions: z.int().positive(), unrelatedCosine: z.number() }));

/** A small JSON file. One that cannot be read counts as empty: what it held is measured again. */
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
