import type { Clock } from '../domain/clock.ts';
import type { Proxies } from '../domain/links/proxies.ts';
import type { InstallableModel } from '../models/embedding/index.ts';
import type { ModelsService } from '../services/operating/models.ts';
import type { installableNames } from '../settings/settings.ts';

/**
 * The models that the product offers besides the one in the package (bge-small-en-v1.5 was dropped: docs/decisions/sentence-models.md).
 *
 * The checksums are from several public projects that pin these revisions and agree on them; the hub itself was not
 * reachable when this was written. A file with another checksum is refused.
 */
export const installableModels: readonly (InstallableModel & { name: (typeof installableNames)[number] })[] = [
  {
    name: 'multilingual-e5-small',
    about: 'some hundred languages, takes twice as long as the model in the package and 100 MB more memory',
    licence: 'MIT',
    repository: 'intfloat/multilingual-e5-small',
    revision: 'fd1525a9fd15316a2d503bf26ab031a61d056e98',
    files: {
      'model.safetensors': {
        bytes: 470_641_600,
        sha256: '1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477',
      },
      'tokenizer.json': {
        bytes: 17_082_730,
        sha256: '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39',
      },
    },
    maxTokens: 512,
    pooling: 'mean',
    queryPrefix: 'query: ',
    passagePrefix: 'passage: ',
    languages: null,
    // See docs/decisions/words-written-two-ways.md.
    matchFloors: { weak: 0.2, doubtful: 0.34, meaning: 0.6 },
  },
];

const usualHub = 'https://huggingface.co';

export async function openModels(given: {
  folder: string;
  hub?: string | undefined;
  clock: Clock;
  proxies: Proxies;
}): Promise<ModelsService> {
  const [{ createModelsService }, { createDownloader }] = await Promise.all([
    import('../services/operating/models.ts'),
    import('../fetching/download.ts'),
  ]);
  const { folder, hub = usualHub, clock, proxies } = given;
  return createModelsService({
    folder,
    hub,
    models: installableModels,
    openDownloader: () => createDownloader(clock, proxies),
  });
}
