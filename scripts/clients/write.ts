/*
 * `npm run clients` writes the generated files of both clients from the OpenAPI document of /api/v1, and the synchronous Python client from
 * the asynchronous one. Run `ruff format clients/python` (the version in scripts/test-python-client.ts) afterwards. Checks fail when a file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pythonCalls, pythonModels } from './python.ts';
import { typescriptCalls, typescriptTypes } from './typescript.ts';

const folder = fileURLToPath(new URL('../../clients/', import.meta.url));

const generated = {
  'typescript/src/types.ts': typescriptTypes,
  'typescript/src/calls.ts': typescriptCalls,
  'python/src/commonplace_client/models.py': pythonModels,
  'python/src/commonplace_client/_async_calls.py': pythonCalls,
};

/** The generated files that are not what would be written now. Formatters move white space, brackets and commas. */
export function staleFiles(): string[] {
  const bare = (text: string) => text.replaceAll(/[\s|();,]+/g, '');
  return Object.entries(generated)
    .filter(([file, write]) => bare(readFileSync(folder + file, 'utf8')) !== bare(write()))
    .map(([file]) => file);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [file, write] of Object.entries(generated)) writeFileSync(folder + file, write());
