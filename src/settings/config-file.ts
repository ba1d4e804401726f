import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../errors.ts';

/** What `config.json` of a data folder holds. The settings in it have not been validated. */
export interface ConfigFile {
  path: string;
  /** Null when there is no file. */
  text: string | null;
  values: Record<string, unknown>;
}

/** @throws {AppError} `invalid_input` when the file cannot be read, or is no JSON object */
export function readConfigFile(dataFolder: string): ConfigFile {
  const path = join(dataFolder, 'config.json');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { path, text: null, values: {} };
    throw new AppError('invalid_input', 'config.json in the data folder cannot be read: check its permissions.', {
      cause: error,
    });
  }
  try {
    return { path, text, values: z.record(z.string(), z.unknown()).parse(JSON.parse(text.replace(/^\ufeff/, ''))) };
  } catch (error) {
    throw new AppError('invalid_input', 'config.json in the data folder is not a JSON object: mend it or remove it.', {
      cause: error,
    });
  }
}
