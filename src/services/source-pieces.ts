import { type ExportedSource, maxEntriesTogether } from '../domain/records/transfers/exported.ts';
import type { Sources } from '../store/sources.ts';
import type { Transfer } from '../store/transfer.ts';

/** The sources of a library with their entries. One with many entries comes several times, with some of them each time. */
export async function* sourcePieces(
  store: Pick<Transfer, 'listSourcesToExport'> & Pick<Sources, 'listSourceEntries'>,
  signal: AbortSignal,
): AsyncGenerator<ExportedSource> {
  for (const source of await store.listSourcesToExport())
    for (let afterKey: string | undefined = ''; afterKey !== undefined;) {
      signal.throwIfAborted();
      const entries = await store.listSourceEntries(source.id, { afterKey, limit: maxEntriesTogether });
      yield { ...source, entries };
      afterKey = entries.length < maxEntriesTogether ? undefined : entries.at(-1)?.key;
    }
}
