// Second stage.
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createDownloader } from '../../src/fetching/download.ts';
import { installableModels } from '../../src/app/choose-embedder.ts';
import { loadTokenizer, readModelFiles } from '../../src/models/embedding/minilm/files.ts';
import { createMiniLm } from '../../src/models/embedding/minilm/minilm.ts';
import { createModelsService, type InstallProgress, type ModelsService } from '../../src/services/operating/models.ts';
import { ManualClock } from '../support/clock.ts';
import { startModelHub, type ModelHub } from '../support/servers/model-hub.ts';
import { rememberingLog } from '../support/store/stores.ts';
import { isThorough } from '../support/vitest/thorough.ts';
import { makeTinyModel, type TinyModel } from '../support/texts/tiny-model.ts';

const never = new AbortController().signal;
const tiny = makeTinyModel({}, 1);
let hub: ModelHub;
let folder: string;
let clock: ManualClock;

beforeEach(async () => {
  hub = await startModelHub();
  folder = join(await mkdtemp(join(tmpdir(), 'commonplace-models-')), 'models');
  clock = new ManualClock();
  offer(tiny);
});
afterEach(async () => {
  await hub.close();
  await rm(join(folder, '..'), { recursive: true, force: true });
});

function offer({ files }: TinyModel): void {
  for (const [name, bytes] of Object.entries(files)) hub.files.set(`/somebody/tiny/resolve/abc/${name}`, bytes);
}

function open(model = tiny.model): ModelsService {
  return createModelsService({ folder, hub: hub.url, models: [model], openDownloader: () => createDownloader(clock) });
}

async function refusalOf(call: Promise<unknown>): Promise<AppError> {
  const error = await call.then(
    () => new Error('it was not refused'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  return error;
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}

describe('an installed model', () => {
  it.each(isThorough ? (['first', 'mean'] as const) : (['mean'] as const))(
    'embeds like its published weights (%s)',
    async (pooling) => {
      const other = makeTinyModel({ pooling });
      offer(other);
      const progress: InstallProgress[] = [];
      const installed = await open(other.model).install('tiny', (one) => progress.push(one), never);
      expect(installed).toMatchObject({ name: 'tiny', installed: true });
      expect(await readdir(folder)).toEqual(['tiny']);
      expect((await readdir(join(folder, 'tiny'))).toSorted()).toEqual([
        'manifest.json',
        'model_int8.safetensors',
        'tokenizer.json',
      ]);
      const { bytes } = other.model.files['model.safetensors'];
      expect((await stat(join(folder, 'tiny', 'model_int8.safetensors'))).size).toBeLessThan(bytes / 3);
      const downloaded = progress.filter(({ step }) => step === 'downloading').at(-1);
      expect(downloaded).toMatchObject({ done: installed.downloadBytes, total: installed.downloadBytes });
      expect(progress.at(-1)).toEqual({ step: 'preparing', done: 1_000, total: 1_000 });

      const files = readModelFiles(join(folder, 'tiny'));
      expect(files).toMatchObject({ id: installed.id, dimensions: 384, maxTokens: 16, pooling, languages: null });
      const tokenizer = await loadTokenizer(files.tokenizer);
      const embedder = createMiniLm({ idleMs: 60_000, log: rememberingLog(), files });
      try {
        const texts = ['a cat', 'the quick brown fox jumps over 13 lazy dogs.'];
        const vectors = await embedder.embedPassages(texts, never);
        const [text = ''] = texts;
        const ids = tokenizer.encode(`p ${text}`, 16);
        const near = cosine(vectors[0]!, other.forward(ids));
        expect(near).toBeGreaterThan(0.999);
        expect(near).toBeGreaterThan(cosine(vectors[0]!, other.forward(ids, { layers: 1 })) + 0.01);
        const query = await embedder.embedQuery(text, never);
        expect(cosine(query, other.forward(tokenizer.encode(`q ${text}`, 16)))).toBeGreaterThan(0.999);
        expect(embedder.unrelatedCosine).toBeGreaterThan(0);
      } finally {
        await embedder.close();
      }
    },
  );

  it('is not downloaded again, and can be removed', async () => {
    const models = open();
    await models.install('tiny', () => undefined, never);
    const asked = hub.asked.length;
    await models.install('tiny', () => undefined, never);
    expect(hub.asked).toHaveLength(asked);
    expect(models.list()).toMatchObject([{ name: 'tiny', installed: true }]);
    await models.remove('tiny');
    expect(models.list()).toMatchObject([{ name: 'tiny', installed: false, id: null }]);
    expect(await readdir(folder)).toEqual([]);
    expect((await refusalOf(models.remove('tiny'))).code).toBe('not_found');
    expect((await refusalOf(models.install('other', () => undefined, never))).message).toContain('tiny');
  });
});

it('a file with a wrong checksum is refused, and nothing is installed', async () => {
  const wrong = Buffer.from(tiny.files['model.safetensors']);
  wrong[wrong.length - 1]! ^= 1;
  hub.files.set('/somebody/tiny/resolve/abc/model.safetensors', wrong);
  const refusal = await refusalOf(open().install('tiny', () => undefined, never));
  expect(refusal.message).toMatch(/wrong checksum/);
  expect(existsSync(join(folder, 'tiny'))).toBe(false);
});

it('a model that the kernel cannot run is not installed', async () => {
  const broken = makeTinyModel({ maxTokens: 1_000 }, 1);
  offer(broken);
  const refusal = await refusalOf(open(broken.model).install('tiny', () => undefined, never));
  expect(refusal.message).toMatch(/cannot be made ready/);
  expect(existsSync(join(folder, 'tiny'))).toBe(false);
});

it('every available model names its revision and checksums', () => {
  for (const { revision, files } of installableModels) {
    expect(revision).toMatch(/^[0-9a-f]{40}$/);
    for (const { sha256, bytes } of Object.values(files)) {
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(bytes).toBeGreaterThan(100_000);
    }
  }
});
