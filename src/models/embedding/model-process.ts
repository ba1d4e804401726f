import { offerToEndFirst } from '../../end-first.ts';
import type { FromWorker, ToWorker } from './minilm/messages.ts';

/*
 * A process that holds a model. It answers one text at a time, in the order asked. Whatever goes wrong in it ends it; the host
 * turns that into a reason and starts another.
 */

function send(message: FromWorker, sent: () => void = () => undefined): void {
  process.send?.(message, undefined, undefined, sent);
}

/** To be called first: what fails while the model is loaded is told, too. */
export function beginModelProcess(): void {
  offerToEndFirst();
  // The host is gone, perhaps killed: nobody will ask again.
  process.on('disconnect', () => process.exit(0));
  // A terminal sends its signals to the whole group; when to end is the host's to say.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('uncaughtException', (error) => {
    send({ kind: 'failed', reason: String(error) }, () => process.exit(1));
  });
}

/** Says that the model is loaded, and answers from then on. */
export function answerTexts(answer: (asked: ToWorker) => Float32Array | Promise<Float32Array>): void {
  process.on('message', (asked: ToWorker) => {
    // What is thrown here ends the process: an unhandled rejection is an uncaught exception.
    void (async () => send({ kind: 'vector', vector: await answer(asked) }))();
  });
  send({ kind: 'ready' });
}
