import type { Block, Document } from '../../domain/document.ts';
import { ProcessingError } from '../../errors.ts';
import type { FileMessage, FileRequest, FileTask } from './file-protocol.ts';

/*
 * The file process: reads one file at a time and sends its blocks in pieces. It may be ended at any instant, and ends itself
 * when its parent is gone.
 */

/** UTF-16 units in one message; the parent takes them one after the other. */
const pieceCharacters = 200_000;

function send(message: FileMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined) throw new Error('file-worker runs only as a child process');
    process.send(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
}

/** Each reader is loaded when it is first asked. */
async function read(request: FileRequest, bytes: Uint8Array, task: FileTask): Promise<Document> {
  if (request.kind === 'pdf') return (await import('../pdf/read-pdf.ts')).readPdf(bytes, task);
  if (request.kind === 'ebook') return (await import('./read-ebook.ts')).readEbook(bytes, task);
  if (request.kind === 'docx') return (await import('./read-docx.ts')).readDocx(bytes, task);
  return (await import('./read-image.ts')).readImage(bytes, task);
}

async function answer(request: FileRequest, bytes: Uint8Array): Promise<void> {
  const progress = (done: number, recognised = 0): void => void send({ kind: 'progress', done, recognised });
  try {
    const { blocks, ...document } = await read(request, bytes, { ...request, progress });
    for (const piece of pieces(blocks)) await send({ kind: 'blocks', blocks: piece });
    await send({ kind: 'result', document });
  } catch (error) {
    if (error instanceof ProcessingError) {
      await send({ kind: 'failure', code: error.code, message: error.message });
    } else await send({ kind: 'broken' });
  }
}

function* pieces(blocks: readonly Block[]): Generator<Block[]> {
  let piece: Block[] = [];
  let length = 0;
  for (const block of blocks) {
    piece.push(block);
    length += block.text.length;
    if (length < pieceCharacters) continue;
    yield piece;
    piece = [];
    length = 0;
  }
  if (piece.length > 0) yield piece;
}

let expected: { request: FileRequest; bytes: Uint8Array; filled: number } | null = null;
const early: Uint8Array[] = [];

/** The request and its bytes come by two ways; either may be first. */
function take(chunk: Uint8Array): void {
  if (expected === null) {
    early.push(chunk);
    return;
  }
  const { request, bytes, filled } = expected;
  bytes.set(chunk, filled);
  expected.filled += chunk.length;
  if (expected.filled < request.size) return;
  expected = null;
  void answer(request, bytes);
}

process.stdin.on('data', take);
process.on('message', (request: FileRequest) => {
  expected = { request, bytes: new Uint8Array(request.size), filled: 0 };
  for (const chunk of early.splice(0)) take(chunk);
});
process.on('disconnect', () => process.exit());
void send({ kind: 'ready' });
