import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path of a data folder that does not exist yet, inside a new temporary folder. */
export function temporaryFolder(): { path: string; remove: () => Promise<void> } {
  const parent = mkdtempSync(join(tmpdir(), 'commonplace-store-'));
  return { path: join(parent, 'data'), remove: () => rm(parent, { recursive: true }) };
}
