/**
 * Runs parts of one transaction whose statements do not need each other's answers: they are sent without waiting, so that
 * all of them together take few round trips. Ends when all have ended, also when one has failed: afterwards the connection
 * may belong to another transaction.
 */
export async function together<T>(parts: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(parts);
  return ended.map((part) => {
    if (part.status === 'rejected') throw part.reason;
    return part.value;
  });
}
