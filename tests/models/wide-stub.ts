import { readMiniLmFiles } from '../../src/models/embedding/minilm/files.ts';
import { openMiniLm } from '../../src/models/embedding/minilm/forward.ts';
import { openKernel, useWideInstructions } from '../../src/models/embedding/minilm/kernel.ts';

/* Prints the vectors of texts of several lengths, and under which name the engine knows each of the kernel's functions. */
const [, , width] = process.argv;
if (width === 'wide') useWideInstructions();
const kernel = openKernel('pairs');
const run = openMiniLm(kernel, readMiniLmFiles().model);
const vectors = [1, 2, 3, 5, 8, 12, 13, 31, 64, 130, 256].map((count) => {
  const ids = Array.from({ length: count }, (_, at) => 1_000 + ((at * 1_237 + count) % 25_000));
  return Buffer.from(run(ids).buffer).toString('base64');
});
const functions = Object.entries(kernel).flatMap(([name, value]: [string, unknown]) =>
  typeof value === 'function' ? [[name, value.name]] : [],
);
console.log(`\n${JSON.stringify({ vectors, functions })}`);
