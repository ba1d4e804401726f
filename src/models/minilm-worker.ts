import { openMiniLm } from './minilm-forward.ts';
import { chooseKernel, openKernel, useWideInstructions } from './minilm-kernel.ts';
import { readMiniLmFiles, readModelFiles } from './minilm-files.ts';
import type { FromWorker, ToWorker } from './minilm-messages.ts';
import { loadTokenizer } from './tokenizer.ts';

/*
 * The process that holds the model. It answers one text at a time, in the order asked. Whatever goes wrong in here ends
 * it; the host turns that into a reason and starts another.
 */

function send(message: FromWorker, sent: () => void = () => undefined): void {
  process.send?.(message, undefined, undefined, sent);
}

// The host is gone, perhaps killed: nobody will ask again.
process.on('disconnect', () => process.exit(0));
// A terminal sends its signals to the whole group; when to end is the host's to say.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('uncaughtException', (error) => {
  send({ kind: 'failed', reason: String(error) }, () => process.exit(1));
});

useWideInstructions();
const [, , folder] = process.argv;
const files = folder === undefined ? readMiniLmFiles() : readModelFiles(folder);
const tokenizer = await loadTokenizer(files.tokenizer);
const run = openMiniLm(openKernel(chooseKernel()), files.model, files);

process.on('message', ({ text }: ToWorker) => {
  send({ kind: 'vector', vector: run(tokenizer.encode(text, files.maxTokens)) });
});

send({ kind: 'ready' });
