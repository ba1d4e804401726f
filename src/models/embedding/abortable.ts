/** Waits for a shared promise, and rejects with the signal's reason when `signal` is aborted. The promise goes on. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
    // Avoid an unhandled rejection when nobody else waits for the promise.
    promise.catch(() => undefined);
  }
}
