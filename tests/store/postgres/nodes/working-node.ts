import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { locatorAt } from '../../../../src/domain/records/texts/document.ts';
import { AppError } from '../../../../src/errors.ts';
import { openPostgresStores } from '../../../../src/store/postgres/open.ts';
import { type Claim, LeaseLostError } from '../../../../src/store/records.ts';
import type { Store } from '../../../../src/store/store.ts';
import { analysisOf, documentOf, leaseMs, resource, saving, transcriptOf } from '../../contracts/items/store-items.ts';
import { ManualClock } from '../../../support/clock.ts';
import { claimJob } from '../../../support/store/claims.ts';

/*
 * A node in a process of its own (`kills.test.ts`): saves and works until it is told to finish, or is killed, and tells
 * of each call that was answered.
 */

export type NodeMessage =
  | { kind: 'saved'; address: string; id: string }
  | { kind: 'claimed'; contentId: string; isFetch: boolean }
  | { kind: 'processed'; contentId: string }
  | { kind: 'refused' | 'finished' };

export const quoteOf = (address: string): string => `Read ${address} again tomorrow.`;
export const textOf = (address: string): string => `${quoteOf(address)} There are some other words, too.`;

/** Does what is left to do of a claimed item, stage by stage, or fetches it. @returns whether it is completed */
export async function processClaim(store: Store, claim: Claim): Promise<boolean> {
  const { contentId, url } = claim;
  const text = textOf(url);
  const transcript = transcriptOf(text);
  const documentId = async (): Promise<number> => (await store.readDocument(contentId))?.documentId ?? -1;
  const passage = { ordinal: 0, start: 0, end: text.length, headingPath: [] };
  for (let held: Claim | null = claim; held !== null;)
    switch (held.stage) {
      case 'fetch':
        await store.keepOriginalAndRelease(held, resource(url, text));
        return false;
      case 'extract':
        held = await store.keepDocument(held, documentOf(), transcript);
        break;
      case 'split': {
        const passages = [{ ...passage, locator: locatorAt(transcript, 0, text.length) }];
        held = await store.keepPassages(held, await documentId(), passages);
        break;
      }
      case 'embed':
        held = await store.finishEmbedding(held);
        break;
      case 'analyse':
        await store.keepAnalysis(held, await documentId(), analysisOf(text, [quoteOf(url)]));
        held = null;
    }
  return true;
}

/** Makes each call until it is answered, as clients and workers do. */
function insistent<T extends object>(target: T, onRefusal: () => void): T {
  const call = (method: (...given: unknown[]) => Promise<unknown>) =>
    async function insist(...given: unknown[]): Promise<unknown> {
      for (;;) {
        try {
          return await method.apply(target, given);
        } catch (error) {
          if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
          onRefusal();
          await pause(5);
        }
      }
    };
  return new Proxy(target, {
    get(_, key) {
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? call(value as never) : value;
    },
  });
}

async function work(url: string, name: string, savedBefore: number): Promise<void> {
  const tell = (message: NodeMessage): void => void process.send?.(message);
  const refused = (): void => tell({ kind: 'refused' });
  const finishing = new AbortController();
  process.on('message', () => finishing.abort());
  const clock = new ManualClock();
  const opening = insistent({ open: () => openPostgresStores({ url, clock, maxConnections: 4 }) }, refused);
  const stores = insistent(await opening.open(), refused);
  const store = insistent(await stores.open('local'), refused) as unknown as Store;
  for (let saved = savedBefore; !finishing.signal.aborted; saved += 1) {
    const address = `https://${name}.example/${saved}`;
    const { id } = await store.saveContent(saving(address, { tags: ['t'] }));
    tell({ kind: 'saved', address, id });
    for (const kind of ['fetch', 'read'] as const) {
      const claim = await claimJob(store, leaseMs, { work: kind });
      if (claim === null) continue;
      tell({ kind: 'claimed', contentId: claim.contentId, isFetch: kind === 'fetch' });
      try {
        if (await processClaim(store, claim)) tell({ kind: 'processed', contentId: claim.contentId });
      } catch (error) {
        // A stage whose answer was lost is done, and this node does not know what its next claim is.
        if (!(error instanceof LeaseLostError)) throw error;
      }
    }
  }
  await stores.close();
  tell({ kind: 'finished' });
  process.disconnect();
}

const [, program = '', url = '', name = '', savedBefore = ''] = process.argv;
if (import.meta.url === pathToFileURL(program).href) await work(url, name, Number(savedBefore));
