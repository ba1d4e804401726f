import { layOutTranscript } from '../../../src/domain/records/texts/document.ts';
import type { Claim } from '../../../src/store/records.ts';
import type { Store } from '../../../src/store/store.ts';
import { documentWith, emptyAnalysis, paragraphs, passagePerBlock, textResource } from '../content.ts';

/** Ends a claimed stage with a small result, as the real stages end theirs. */
export async function keepSomething(store: Store, claim: Claim): Promise<Claim | null> {
  switch (claim.stage) {
    case 'fetch':
      await store.keepOriginalAndRelease(claim, textResource(claim.url, `the text of ${claim.url}`));
      return null;
    case 'extract':
      return store.keepDocument(claim, documentWith(), layOutTranscript(paragraphs(`the text of ${claim.url}`)));
    case 'split': {
      const document = await store.readDocument(claim.contentId);
      if (document === null) throw new Error('no document to split');
      return store.keepPassages(claim, document.documentId, passagePerBlock(document.transcript));
    }
    case 'embed':
      return store.finishEmbedding(claim);
    case 'analyse': {
      const document = await store.readDocument(claim.contentId);
      if (document === null) throw new Error('no document to analyse');
      return store.keepAnalysis(claim, document.documentId, emptyAnalysis);
    }
  }
}

/** A promise that rejects when the signal aborts, and with nothing else: a stage that takes for ever. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const interrupt = () => reject(signal.reason as Error);
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
  });
}
