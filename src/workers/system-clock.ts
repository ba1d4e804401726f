import { uptime } from 'node:os';
import type { Clock } from '../domain/clock.ts';

/** Reading the uptime opens a file, and every write asks for it. */
const uptimeLastsMs = 10;

export function createSystemClock(): Clock {
  let uptimeMs = 0;
  let uptimeReadAt = Number.NEGATIVE_INFINITY;
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    uptime() {
      const now = performance.now();
      if (now - uptimeReadAt >= uptimeLastsMs) {
        uptimeMs = uptime() * 1_000;
        uptimeReadAt = now;
      }
      return uptimeMs;
    },
    // Not the one of `timers/promises`: it makes an error with a stack for every aborted sleep, and each job aborts one.
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const timer = setTimeout(() => {
          signal?.removeEventListener('abort', end);
          resolve();
        }, ms);
        const end = (): void => {
          clearTimeout(timer);
          reject(signal?.reason as Error);
        };
        signal?.addEventListener('abort', end, { once: true });
      });
    },
  };
}
