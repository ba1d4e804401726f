import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { layOutTranscript, type Transcript } from '../../src/domain/records/texts/document.ts';
import type { Goal } from '../../src/domain/records/analyses/goal.ts';
import { fingerprintOf } from '../../src/domain/duplicates/simhash.ts';
import type { TitleComparison } from '../../src/domain/drafts/grounding/index.ts';
import { ProcessingError } from '../../src/errors.ts';
import type { AnalysisInput } from '../../src/models/analysis/analyst.ts';
import { createExtractiveAnalyst } from '../../src/models/analysis/extractive/extractive.ts';
import { loadWordPiece } from '../../src/models/embedding/tokenizers/wordpiece.ts';
import { linkPassages, splitTranscript } from '../../src/pipeline/splitting/split.ts';
import { startTextWorker, type TextReaderSettings } from '../../src/pipeline/text-worker/text-reader.ts';
import {
  createTextWorkerPool,
  type TextWorkerPool,
  usualTextLimits,
} from '../../src/pipeline/text-worker/text-worker-pool.ts';
import { textWork } from '../support/texts/text-work.ts';

/*
 * A thread that speaks the same messages: some titles make it misbehave, the others come back as the summary with the
 * number of texts that this thread has answered.
 */
const stub = `
  import { parentPort } from 'node:worker_threads';
  let answered = 0;
  parentPort.on('message', ({ args: [{ title }] }) => {
    if (title === 'busy') for (;;);
    if (title === 'exit') process.exit(3);
    if (title === 'throw') throw new Error('broken');
    if (title === 'reject') return void Promise.reject(new Error('nobody waits for this'));
    if (title === 'memory') for (const kept = []; ; ) kept.push(Array(1_000).fill({ of: kept.length }));
    if (title === 'unexpected') return parentPort.postMessage({ kind: 'broken', reason: 'an unexpected error' });
    if (title === 'tooLong') return parentPort.postMessage({ kind: 'tooLong', reason: 'no stack is left' });
    answered += 1;
    const result = { summary: title + ' ' + answered, insights: [], actions: [], droppedQuotes: 0 };
    parentPort.postMessage({ kind: 'result', result, heapBytes: title === 'grown' ? 2 ** 30 : 0 });
  });
  parentPort.postMessage({ kind: 'ready' });
`;
const sayNothing = `setInterval(() => undefined, 60_000);`;
const realWorker = new URL('../../src/pipeline/text-worker/text-worker.ts', import.meta.url);
const never = new AbortController().signal;
const minute = 60_000;

interface Threads {
  thread: TextWorkerPool;
  workers: Worker[];
  ask(title: string, signal?: AbortSignal, account?: string): Promise<string | null>;
}

const open = (settings: Partial<TextReaderSettings> = {}): TextWorkerPool =>
  createTextWorkerPool({ ...usualTextLimits, compare: null, startWorker: startTextWorker, ...settings });

async function withThreads(
  settings: Partial<TextReaderSettings>,
  use: (threads: Threads) => Promise<void>,
  script = stub,
): Promise<void> {
  const workers: Worker[] = [];
  const file = /^(file|data):/.test(script) ? script : `data:text/javascript,${encodeURIComponent(script)}`;
  const startWorker = (isBackground: boolean) => {
    const resourceLimits = script === stub ? { maxOldGenerationSizeMb: 16 } : {};
    const workerData = { isBackground };
    const worker = new Worker(new URL(file), { stdout: true, stderr: true, execArgv: [], resourceLimits, workerData });
    workers.push(worker);
    return worker;
  };
  const thread = open({ ...settings, startWorker });
  const ask = async (title: string, signal = never, account = 'a') =>
    (await thread.analyst.analyse({ title, language: null, text: '', blocks: [] }, [], signal, account)).summary;
  try {
    await use({ thread, workers, ask });
  } finally {
    await thread.close();
  }
}

/** Only the host's own timers stand still; threads live in real time. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}
afterEach(() => void vi.useRealTimers());

test('a text over its processor time ends its thread and fails for good, without harm to waiting ones', async () => {
  await withThreads({ maxProcessorMs: 200 }, async ({ workers, ask }) => {
    await ask('fine');
    const slow = ask('busy');
    const neighbours = Promise.all([ask('a'), ask('b')]);
    const ended = once(workers[0]!, 'exit');
    const failure: unknown = await slow.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ProcessingError);
    expect(failure).toMatchObject({ code: 'extraction_timeout', retryable: false });
    expect(await neighbours).toEqual(['a 1', 'b 2']);
    expect(workers).toHaveLength(2);
    await ended;
  });
});

test('a thread that fails to start fails its text, which can be retried', async () => {
  holdTime();
  await withThreads(
    {},
    async ({ ask }) => {
      const call = ask('a').catch((error: unknown) => error);
      vi.advanceTimersByTime(minute);
      expect(await call).toMatchObject({ code: 'internal', retryable: true });
    },
    sayNothing,
  );
});

test.each([
  ['exit', { code: 'internal', retryable: true }],
  ['throw', { code: 'internal', retryable: true }],
  ['reject', { code: 'internal', retryable: true }],
  // The limit is the thread's own: the next attempt would end in the same way.
  ['memory', { code: 'too_large', retryable: false }],
])('a thread that crashes (%s) fails only the current text', async (how, reason) => {
  await withThreads({}, async ({ workers, ask }) => {
    const calls = await Promise.allSettled([ask('fine'), ask(how), ask('a'), ask('b')]);
    expect(calls).toMatchObject([{ value: 'fine 1' }, { reason }, { value: 'a 1' }, { value: 'b 2' }]);
    expect(workers).toHaveLength(2);
  });
});

test('an error that the thread survives fails only its text, in the same thread', async () => {
  await withThreads({}, async ({ workers, ask }) => {
    const calls = await Promise.allSettled([ask('unexpected'), ask('tooLong'), ask('a')]);
    expect(calls).toMatchObject([
      { reason: { code: 'internal', retryable: true, cause: 'an unexpected error' } },
      { reason: { code: 'too_large', retryable: false, cause: 'no stack is left' } },
      { value: 'a 1' },
    ]);
    expect(workers).toHaveLength(1);
  });
});

test('a thread with a large heap ends after its text, and the memory is freed', async () => {
  await withThreads({}, async ({ workers, ask }) => {
    const calls = await Promise.allSettled([ask('grown'), ask('a')]);
    expect(calls).toMatchObject([{ value: 'grown 1' }, { value: 'a 1' }]);
    expect(workers).toHaveLength(2);
  });
});

test('closing ends the thread and rejects current, waiting and later texts', async () => {
  await withThreads({}, async ({ thread, workers, ask }) => {
    await ask('fine');
    const calls = Promise.allSettled([ask('busy'), ask('a')]);
    const ended = once(workers[0]!, 'exit');
    await thread.close();
    const interrupted = { status: 'rejected', reason: { code: 'interrupted', retryable: true } };
    expect(await calls).toMatchObject([interrupted, interrupted]);
    await ended;
    await expect(ask('late')).rejects.toMatchObject({ code: 'interrupted' });
    expect(workers).toHaveLength(1);
  });
});

const transcript = layOutTranscript([
  { kind: 'heading', level: 1, text: '# Sleep', locator: undefined },
  { kind: 'paragraph', text: 'Sleep consolidates what was learned. Go to bed at the same time.', locator: undefined },
]);
const source = { transcript, contentType: 'article', language: 'en' } as const;
const input: AnalysisInput = { title: 'Sleep', language: 'en', ...transcript };

const goal: Goal = {
  id: 'g_aaaaaaaaaaaaaaaa',
  title: 'Better sleep',
  category: 'Health',
  description: null,
  createdAt: '2026-01-01T00:00:00.000Z',
};

test('the real thread answers like the functions it runs', async () => {
  const thread = open();
  try {
    const { countSlicesOf } = await loadWordPiece();
    expect(await thread.split(source, never, 'a')).toEqual({
      passages: linkPassages(splitTranscript(transcript, countSlicesOf(transcript.text)), source),
      wordCount: 13,
      fingerprint: fingerprintOf(transcript.text),
    });
    const analysis = await createExtractiveAnalyst().analyse(input, [], never);
    expect(await thread.analyst.analyse(input, [], never)).toEqual(analysis);

    const about = { url: 'https://a.example/sleep', contentType: 'article' } as const;
    const info = { by: 'extractive', model: null, at: '2026-01-01T00:00:00.000Z' } as const;
    expect(await thread.place(analysis, transcript, about, info, never)).toEqual(
      await textWork.place(analysis, transcript, about, info, never),
    );
    const entry = { title: 'Go to bed', quote: 'Go to bed at the same time.', reason: null, goalId: goal.id };
    const draft = {
      summary: 'See b.example/c.',
      insights: [{ text: 'None', quote: 'is not there' }],
      actions: [entry],
    };
    const verified = await thread.verify(draft, transcript.text, [goal], never);
    expect(verified).toEqual(await textWork.verify(draft, transcript.text, [goal], never));
    expect(verified.analysis).toMatchObject({ summary: 'See […].', droppedQuotes: 1, actions: [{ goalId: goal.id }] });
    const place = {
      instruction: 'Sleep in a dark bedroom.',
      paragraph: 'Better sleep comes.',
      subject: 'Better sleep',
    };
    const matched = await thread.matchGoals([goal], [place], never);
    expect(matched).toEqual(await textWork.matchGoals([goal], [place], never));
    expect(matched).toMatchObject([{ goalId: goal.id }]);
  } finally {
    await thread.close();
  }
});

test('the real thread finds the tasks in notes, in each language, from the day on which they were written', async () => {
  const thread = open();
  try {
    const notes = ['Gut zu lesen.\nBäcker anrufen', 'Ask Tom about the rent before Friday. He is back from the sea.'];
    const found = await thread.findTasks(notes, 'de', '2026-03-02', never);
    expect(found).toEqual(await textWork.findTasks(notes, 'de', '2026-03-02', never));
    expect(found).toEqual([
      { title: 'Bäcker anrufen', quote: 'Bäcker anrufen', due: null, priority: 'normal' },
      {
        title: 'Ask Tom about the rent before Friday',
        quote: 'Ask Tom about the rent before Friday.',
        due: '2026-03-06',
        priority: 'normal',
      },
    ]);
  } finally {
    await thread.close();
  }
});

test('the real thread compares actions with goals for its account', async () => {
  const asked: unknown[] = [];
  const thread = open({
    compare: async (pairs, account) => {
      asked.push(account);
      return pairs.map(({ sentences: [text = ''] }) => (text.includes('curtains') ? 0.5 : 0));
    },
  });
  try {
    const places = ['Draw the curtains at nine.', 'Oil the chain.'].map((instruction) => ({
      instruction,
      subject: 'Evenings',
    }));
    expect(await thread.matchGoals([goal], places, never, 'a')).toEqual([
      { goalId: goal.id, reason: 'Serves your goal "Better sleep": it speaks of curtains, draw.' },
      { goalId: null, reason: null },
    ]);
    expect(asked).toEqual(['a', 'a']);
  } finally {
    await thread.close();
  }
});

test('the real thread survives an unexpected error', async () => {
  const script = realWorker.href;
  await withThreads(
    {},
    async ({ thread, workers }) => {
      const malformed: Transcript = JSON.parse('{ "text": "no blocks" }');
      await expect(thread.split({ ...source, transcript: malformed }, never, 'a')).rejects.toMatchObject({
        code: 'internal',
        retryable: true,
      });
      expect((await thread.split(source, never, 'a')).passages.length).toBeGreaterThan(0);
      expect(workers).toHaveLength(1);
    },
    script,
  );
});

test('a word of millions of characters that cannot be matched whole is ignored', async () => {
  await withThreads(
    {},
    async ({ thread }) => {
      const text = '一'.repeat(12_000_000);
      const paragraph = input.blocks.find(({ kind }) => kind === 'paragraph');
      const endless = { ...input, language: null, text, blocks: [{ ...paragraph!, start: 0, end: text.length }] };
      expect(await thread.analyst.analyse(endless, [], never, 'a')).toMatchObject({ summary: null, insights: [] });
    },
    realWorker.href,
  );
});

test('console output of libraries in the real thread is dropped', async () => {
  const script = `
    await import(${JSON.stringify(realWorker.href)});
    await new Promise((written) => process.stdout.write('x'.repeat(1_000_000), written));
    await new Promise((written) => process.stderr.write('x'.repeat(1_000_000), written));
  `;
  const file = `data:text/javascript,${encodeURIComponent(script)}`;
  await withThreads(
    {},
    async ({ thread, workers }) => {
      await thread.split(source, never, 'a');
      await thread.split(source, never, 'a');
      expect([workers[0]!.stdout.readableLength, workers[0]!.stderr.readableLength]).toEqual([0, 0]);
    },
    file,
  );
});

test('a text whose sentences cannot be compared fails alone', async () => {
  const asks = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => parentPort.postMessage({ kind: 'titles', titles: [] }));
    parentPort.postMessage({ kind: 'ready' });`;
  const thread = open({
    compare: () => Promise.reject(new Error('a file of the package is gone')),
    startWorker: () => new Worker(new URL(`data:text/javascript,${encodeURIComponent(asks)}`), { execArgv: [] }),
  });
  const input = { title: 'a', language: null, text: '', blocks: [] };
  await expect(thread.analyst.analyse(input, [], never)).rejects.toThrow(/text/);
  await thread.close();
});

test.each([
  ['keeps a title in other words when the model finds its meaning near the quote', 0.5, []],
  ['drops it when the model finds it nowhere', 0.1, ['actions[0].title']],
])('a draft is also compared with its text by meaning: it %s', async (_, likeness, dropped) => {
  const asked: TitleComparison[] = [];
  const thread = open({
    compare: (titles, account) => {
      expect(account).toBe('a');
      asked.push(...titles);
      return Promise.resolve(titles.map(() => likeness));
    },
  });
  const text = 'The bedroom is to be kept cool and dark. It is the simplest of the changes that you can make to it.';
  const action = { title: 'Chill your sleeping quarters', quote: 'kept cool and dark', reason: null, goalId: null };
  try {
    const { analysis, problems } = await thread.verify(
      { summary: 'Sleep.', insights: [], actions: [action] },
      text,
      [],
      never,
      'a',
    );
    expect(asked.map(({ title }) => title)).toEqual([action.title]);
    expect(asked[0]?.sentences).toContain('The bedroom is to be kept cool and dark.');
    expect(problems.map(({ path }) => path)).toEqual(dropped);
    expect(analysis.actions).toHaveLength(1 - dropped.length);
  } finally {
    await thread.close();
  }
});
