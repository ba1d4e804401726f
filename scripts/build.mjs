// Compiles src/ to dist/, puts the sentence model's runtime beside it and marks the command as executable.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

rmSync(join(root, 'dist'), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit', cwd: root });
chmodSync(join(root, 'dist', 'main.js'), 0o755);

// Of the 139 MB of onnxruntime-web these three files run the model; users get them with the package, not as a dependency.
const runtime = dirname(createRequire(import.meta.url).resolve('onnxruntime-web'));
const shipped = join(root, 'dist', 'models', 'ort');
mkdirSync(shipped, { recursive: true });
for (const name of ['ort.wasm.min.mjs', 'ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm']) {
  copyFileSync(join(runtime, name), join(shipped, name));
}
copyFileSync(join(root, 'src', 'models', 'onnxruntime-licence.txt'), join(shipped, 'LICENSE'));
