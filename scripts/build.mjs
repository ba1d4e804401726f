/*
 * Joins src/ with the packages it uses, joins web/ for browsers, and compiles kernels/ to dist/, and marks the command as executable.
 * It leaves dist/ as it is when nothing that the build depends on has changed; `npm run build -- --force` builds in any case.
 */
import { chmodSync, cpSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt, noteBuilt } from './built.ts';
import { licencesOf, packageFolder } from './licences.ts';
import { copiedPackages, installedPackages } from './packages.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

if (isBuilt(root) && !process.argv.includes('--force')) process.exit();

// Loaded only now, since a build that has nothing to do is asked for before many commands.
const [{ default: asc }, { bundle }, { buildPage }, { buildExtension }] = await Promise.all([
  import('assemblyscript/asc'),
  import('./bundle.mjs'),
  import('./page.mjs'),
  import('./extension.mjs'),
]);

rmSync(join(root, 'dist'), { recursive: true, force: true });
const joined = [
  ...(await bundle(join(root, 'src'), join(root, 'dist'))),
  ...(await buildPage(root)),
  ...(await buildExtension(root)),
];
for (const [name, { folder, files, renamed }] of Object.entries(copiedPackages)) {
  const [from, to] = [join(root, 'node_modules', name), join(root, 'dist', folder)];
  for (const file of globSync(files, { cwd: from })) cpSync(join(from, file), join(to, file));
  for (const [file, target] of Object.entries(renamed)) cpSync(join(from, file), join(to, target));
}
// Modules read them beside themselves.
for (const file of globSync('**/*.sql', { cwd: join(root, 'src') }))
  cpSync(join(root, 'src', file), join(root, 'dist', file));
chmodSync(join(root, 'dist', 'main.js'), 0o755);
const apart = [...Object.keys(copiedPackages), ...installedPackages].map((name) => join(root, 'node_modules', name));
writeFileSync(join(root, 'dist', 'THIRD_PARTY_LICENSES'), licencesOf([...joined.map(packageFolder), ...apart]));

// The kernels: one source, and a build for each kind of processor and engine (kernel.ts and scan-kernel.ts say which is when).
const relaxed = ['--enable', 'simd,relaxed-simd'];
const builds = {
  fused: [...relaxed, '--use', 'FUSED_DOT=1'],
  pairs: [...relaxed, '--use', 'FUSED_DOT=0'],
  plain: ['--enable', 'simd', '--use', 'FUSED_DOT=0'],
};
const kernels = {
  minilm: ['--memoryBase', '64', '--importMemory', '--enable', 'threads', '--sharedMemory', '--maximumMemory', '16384'],
  // Its memory is the caller's, who leaves this place to the kernel's constants (vector-rows.ts).
  scan: ['--memoryBase', '1024', '--importMemory', '--enable', 'threads', '--sharedMemory', '--maximumMemory', '65536'],
};
const always = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--initialMemory', '1'];
for (const [kernel, own] of Object.entries(kernels)) {
  for (const [build, flags] of Object.entries(builds)) {
    const [source, target] = [join('kernels', `${kernel}.ts`), join('dist', 'kernels', `${kernel}-${build}.wasm`)];
    const options = [source, '--outFile', target, '--baseDir', root, ...always, ...own, ...flags];
    // In this process: a compiler that has compiled one kernel is several times faster with the next.
    const { error, stderr } = await asc.main(options);
    if (error !== null) throw new Error(`${target}: ${error.message}\n${stderr.toString()}`);
  }
}
noteBuilt(root);
