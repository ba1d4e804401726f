import { createRequire } from 'node:module';
import type * as CliProgress from 'cli-progress';
import { maskText } from '../domain/text/clean-text.ts';

export interface ProgressBar {
  update(done: number, total: number, message: string): void;
  stop(): void;
}

/** A progress bar on a terminal. It draws nothing when stderr is not a terminal, so that logs and pipes stay clean. */
export function createProgressBar(stream: NodeJS.WriteStream, silent: boolean): ProgressBar {
  if (silent || !stream.isTTY) return { update: () => undefined, stop: () => undefined };
  // Load the library only when there is a terminal to draw on.
  const { SingleBar } = createRequire(import.meta.url)('cli-progress') as typeof CliProgress;
  const bar = new SingleBar({
    stream,
    format: '{bar} {value}/{total} {message}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 24,
    hideCursor: true,
    clearOnComplete: true,
    stopOnComplete: false,
  });
  let started = false;
  return {
    update(done, total, message) {
      if (!started) bar.start(total, done, { message: maskText(message) });
      else {
        bar.setTotal(total);
        bar.update(done, { message: maskText(message) });
      }
      started = true;
    },
    stop() {
      if (started) bar.stop();
    },
  };
}
