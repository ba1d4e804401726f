/** Waits for what others wait for, too, and leaves when `signal` is aborted, with its reason. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
    // Nobody else may be waiting for it.
    promise.catch(() => undefined);
  }
}
