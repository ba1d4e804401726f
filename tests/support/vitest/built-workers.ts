import { join, normalize, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vitest/config';
import { isBuilt } from '../../../scripts/built.ts';

const root = join(import.meta.dirname, '../../..');
const call = /\bworkerFile\(('[^']{1,100}'), import\.meta\.url\)/g;

/**
 * Threads and processes that a test in the sources starts are those of `dist/`, as far as that was built from these sources: they load in half the
 * processor time. The module that starts one asks for a file beside itself, and here that is beside its place in `dist/`.
 */
export function builtWorkers(): Plugin {
  let isUsed = false;
  return {
    name: 'built-workers',
    enforce: 'pre',
    configureVitest({ vitest }) {
      // While files are watched they change, and what was built from them does not.
      isUsed = !vitest.config.watch && isBuilt(root);
    },
    transform(code, id) {
      const file = normalize(id);
      if (!isUsed || !file.startsWith(join(root, 'src'))) return null;
      const built = join(root, 'dist', relative(join(root, 'src'), file)).replace(/\.ts$/, '.js');
      const changed = code.replace(call, (_, path: string) => `workerFile(${path}, '${pathToFileURL(built).href}')`);
      // No line has moved.
      return changed === code ? null : { code: changed, map: null };
    },
  };
}
