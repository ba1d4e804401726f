import { readMiniLmFiles } from './minilm-files.ts';
import type { FromWorker, ToWorker } from './minilm-messages.ts';
import { importOnnxRuntimeNode, tryNative } from './native-runtime.ts';
import { openWasm } from './onnx-session.ts';
import { loadWordPiece } from './wordpiece.ts';

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

const files = readMiniLmFiles();
const wordPiece = await loadWordPiece();
const encode = (text: string): number[] => wordPiece.encode(text, files.maxTokens);
const native = await tryNative(importOnnxRuntimeNode, files, encode);
const run = native.kind === 'agrees' ? native.run : await openWasm(files.model);

// The files as read, 60 MB, are not needed any more; without this they stay until there is pressure.
globalThis.gc?.();

async function answer(text: string): Promise<void> {
  send({ kind: 'vector', vector: await run(encode(text)) });
}

process.on('message', ({ text }: ToWorker) => void answer(text));

send({
  kind: 'ready',
  native: native.kind,
  reason: native.kind === 'refused' ? String(native.reason) : null,
});
