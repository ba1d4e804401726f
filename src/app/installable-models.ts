import type { Clock } from '../domain/clock.ts';
import type { InstallableModel } from '../models/embedding/index.ts';
import type { ModelsService } from '../services/operating/models.ts';
import type { installableNames } from '../settings/embedding.ts';

/**
 * The models that the product offers besides the one in the package.
 *
 * The checksums are from several public projects that pin these revisions and agree on them; the hub itself was not
 * reachable when this was written. A file with another checksum is refused.
 */
export const installableModels: readonly (InstallableModel & { name: (typeof installableNames)[number] })[] = [
  {
    name: 'bge-small-en-v1.5',
    about: 'English, ranks better than the model in the package and takes twice as long',
    licence: 'MIT',
    repository: 'BAAI/bge-small-en-v1.5',
    revision: '5c38ec7c405ec4b44b94cc5a9bb96e735b38267a',
    files: {
      'model.safetensors': {
        bytes: 133_466_304,
        sha256: '3c9f31665447c8911517620762200d2245a2518d6e7208acc78cd9db317e21ad',
      },
      'tokenizer.json': {
        bytes: 711_396,
        sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
      },
    },
    maxTokens: 512,
    pooling: 'first',
    queryPrefix: 'Represent this sentence for searching relevant passages: ',
    passagePrefix: '',
    languages: ['en'],
  },
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
  },
];

/** Installs, lists and removes these models in a folder. */
export async function openModels(given: { folder: string; hub: string; clock: Clock }): Promise<ModelsService> {
  const [{ createModelsService }, { createDownloader }] = await Promise.all([
    import('../services/operating/models.ts'),
    import('../fetching/download.ts'),
  ]);
  const { folder, hub, clock } = given;
  return createModelsService({ folder, hub, models: installableModels, openDownloader: () => createDownloader(clock) });
}
