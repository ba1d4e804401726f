import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import type { TitleComparison } from '../../domain/drafts/grounding/index.ts';
import { lazily } from '../../domain/lazily.ts';
import { yieldProcessor } from '../../workers/memory.ts';
import type { WorkerSignal } from '../../workers/worker-use.ts';
import type {
  SourceText,
  SplitText,
  TextCalls,
  TextKind,
  TextMessage,
  TextRequest,
  TextResult,
  TextWorkerData,
  TitleLikeness,
} from './text-protocol.ts';

/* The thread behind `text-reader.ts`. It is stopped by being terminated, so nothing here needs an abort signal. */

const port = parentPort;
if (port === null) throw new Error('this file runs as a worker thread');
const post = (message: TextMessage | WorkerSignal): void => port.postMessage(message);

// Discard output: no one reads it, and it would pile up.
for (const stream of [process.stdout, process.stderr]) {
  stream._write = (_chunk, _encoding, done) => done();
  stream._writev = (_chunks, done) => done();
}

if ((workerData as TextWorkerData).isBackground) yieldProcessor();

let answered: ((numbers: readonly number[] | null) => void) | undefined;
function ask(message: TextMessage): Promise<readonly number[] | null> {
  const { promise, resolve } = Promise.withResolvers<readonly number[] | null>();
  answered = resolve;
  post(message);
  return promise;
}
// A thread splits or analyses, so it loads only what it needs for that.
const splitting = lazily(async () => {
  const [{ loadWordPiece }, { counterFor, linkPassages, splitTranscript }, { countWords }, { fingerprintOf }] =
    await Promise.all([
      import('../../models/embedding/index.ts'),
      import('../splitting/split.ts'),
      import('../../domain/records/texts/document.ts'),
      import('../../domain/duplicates/simhash.ts'),
    ]);
  const wordPiece = await loadWordPiece();
  return (source: SourceText): SplitText => ({
    passages: linkPassages(splitTranscript(source.transcript, counterFor(source, wordPiece)), source),
    wordCount: countWords(source.transcript.text),
    fingerprint: fingerprintOf(source.transcript.text),
  });
});
const analysing = lazily(async () => {
  const { createExtractiveAnalyst, matchGoals } = await import('../../models/analysis/extractive/index.ts');
  const compare = (titles: readonly TitleComparison[]) => ask({ kind: 'titles', titles });
  const analyst = createExtractiveAnalyst(compare);
  return { analyst, matchGoals, compare };
});
const never = new AbortController().signal;

const calls: { [Kind in TextKind]: (...args: Parameters<TextCalls[Kind]>) => Promise<ReturnType<TextCalls[Kind]>> } = {
  split: async (source) => (await splitting.get())(source),
  analyse: async (input, goals) => (await analysing.get()).analyst.analyse(input, goals, never),
  place: async (...parts) => (await import('../../domain/drafts/place-analysis.ts')).placeAnalysis(...parts),
  placeQuotes: async (...parts) =>
    (await import('../../domain/records/highlights/highlight-words.ts')).placeQuotes(...parts),
  async verify(draft, text, goals) {
    const { comparisonsIn, verifyDraft } = await import('../../domain/drafts/verify-draft.ts');
    const comparisons = comparisonsIn(draft, text);
    const answer = comparisons.size === 0 ? null : await ask({ kind: 'titles', titles: [...comparisons.values()] });
    const likeness =
      answer === null ? [] : [...comparisons.keys()].map((at, i): [number, number] => [at, answer[i] ?? -1]);
    return verifyDraft(draft, text, goals, new Map(likeness));
  },
  findTasks: async (...parts) => (await import('../../models/analysis/extractive/index.ts')).tasksInNotes(...parts),
  async matchGoals(goals, places) {
    const { matchGoals, compare } = await analysing.get();
    return matchGoals(places, goals, compare);
  },
};

async function answer({ kind, args }: TextRequest): Promise<void> {
  try {
    const result = await (calls[kind] as (...args: TextRequest['args']) => Promise<TextResult>)(...args);
    post({ kind: 'result', result, heapBytes: getHeapStatistics().total_heap_size });
  } catch (error) {
    // Send text only: fields of an error may not be cloneable between threads.
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const isTooLong = error instanceof RangeError && error.message.includes('call stack');
    post({ kind: isTooLong ? 'tooLong' : 'broken', reason });
  }
}

port.on('message', (request: TextRequest | TitleLikeness) => {
  if (request.kind === 'likeness') answered?.(request.likeness);
  else void answer(request);
});
post({ kind: 'ready' });
