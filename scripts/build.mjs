// Compiles src/ and kernels/ to dist/ and marks the command as executable.
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

rmSync(join(root, 'dist'), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit', cwd: root });
chmodSync(join(root, 'dist', 'main.js'), 0o755);

// The kernels: one source, and a build for each kind of processor and engine (src/models/minilm-kernel.ts says which is when).
const asc = join(dirname(createRequire(import.meta.url).resolve('assemblyscript/package.json')), 'bin', 'asc.js');
const kernels = {
  'minilm-fused': ['--enable', 'simd,relaxed-simd', '--use', 'FUSED_DOT=1'],
  'minilm-pairs': ['--enable', 'simd,relaxed-simd', '--use', 'FUSED_DOT=0'],
  'minilm-plain': ['--enable', 'simd', '--use', 'FUSED_DOT=0'],
};
for (const [name, flags] of Object.entries(kernels)) {
  const [source, target] = [join('kernels', 'minilm.ts'), join('dist', 'kernels', `${name}.wasm`)];
  const always = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--initialMemory', '1', '--memoryBase', '64'];
  execFileSync(process.execPath, [asc, source, '--outFile', target, ...always, ...flags], {
    stdio: 'inherit',
    cwd: root,
  });
}
