import { mkdir, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isOutOfRoom } from '../../domain/machine-limits.ts';
import { withoutTrailing } from '../../domain/text/shortened.ts';
import { AppError, notFound, unavailable } from '../../errors.ts';
import { findModelFiles, prepareModel, type InstallableModel } from '../../models/embedding/index.ts';

export interface InstallProgress {
  /** `done` and `total` are bytes for `downloading` and thousandths for `preparing`. */
  step: 'downloading' | 'preparing';
  done: number;
  total: number;
}

interface ModelState {
  name: string;
  about: string;
  licence: string;
  downloadBytes: number;
  installed: boolean;
  /** Null until it is installed. */
  id: string | null;
}

export type ModelsService = ReturnType<typeof createModelsService>;

/** Fetches large files whose checksum is known. */
interface ModelDownloader {
  fetch(
    file: { url: URL; target: string; bytes: number; sha256: string },
    onProgress: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<void>;
  close(): Promise<void>;
}

export interface ModelsParts {
  /** Holds one folder for each model, with the model's name. */
  folder: string;
  /** Address of the hub: `<hub>/<repository>/resolve/<revision>/<file>`. */
  hub: string;
  models: readonly InstallableModel[];
  openDownloader: () => ModelDownloader;
}

/** Disk space that stays free beyond what an installation needs. */
const spareBytes = 64 * 1024 * 1024;

export function createModelsService({ folder, hub, models, openDownloader }: ModelsParts) {
  const find = (name: string): InstallableModel => {
    const model = models.find((one) => one.name === name);
    if (model !== undefined) return model;
    const known = models.map((one) => one.name).join(', ');
    throw notFound(`There is no model of this name. These can be installed: ${known}.`);
  };
  const stateOf = (model: InstallableModel): ModelState => {
    const id = findModelFiles(join(folder, model.name))?.id ?? null;
    const { name, about, licence } = model;
    return { name, about, licence, downloadBytes: downloadSize(model), installed: id !== null, id };
  };

  return {
    list: (): ModelState[] => models.map(stateOf),
    /**
     * Downloads a model, converts it for the kernel, tests it, and installs it in one step at the end.
     * An interrupted installation is continued.
     * @throws {AppError} `not_found` for an unknown name, `unavailable` when the model cannot be installed
     */
    async install(
      name: string,
      onProgress: (progress: InstallProgress) => void,
      signal: AbortSignal,
    ): Promise<ModelState> {
      const model = find(name);
      const place = join(folder, name);
      if (findModelFiles(place) !== null) return stateOf(model);
      const workplace = join(folder, `.${name}.installing`);
      await mkdir(workplace, { recursive: true }).catch((error: unknown) => {
        throw unavailable('The data folder cannot be written to: check its permissions.', {
          cause: error,
        });
      });
      await checkRoom(folder, model);
      await downloadAll(model, workplace);
      try {
        await prepareModel(
          model,
          workplace,
          (share) => onProgress({ step: 'preparing', done: Math.round(share * 1_000), total: 1_000 }),
          signal,
        );
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof AppError) throw error;
        throw explained(error);
      }
      await rm(place, { recursive: true, force: true });
      await rename(workplace, place);
      return stateOf(model);

      async function downloadAll({ repository, revision, files }: InstallableModel, to: string): Promise<void> {
        const downloader = openDownloader();
        const total = downloadSize(model);
        let before = 0;
        try {
          for (const [file, { bytes, sha256 }] of Object.entries(files)) {
            const url = new URL(`${withoutTrailing(hub, '/')}/${repository}/resolve/${revision}/${file}`);
            const done = before;
            await downloader.fetch(
              { url, target: join(to, file), bytes, sha256 },
              (had) => onProgress({ step: 'downloading', done: done + had, total }),
              signal,
            );
            before += bytes;
          }
        } finally {
          await downloader.close();
        }
      }
    },
    /** @throws {AppError} `not_found` when it is not installed */
    async remove(name: string): Promise<void> {
      const place = join(folder, find(name).name);
      const wasThere = findModelFiles(place) !== null;
      await rm(place, { recursive: true, force: true });
      await rm(join(folder, `.${name}.installing`), { recursive: true, force: true });
      if (!wasThere) throw notFound('This model is not installed; what was left of it is removed.');
    },
  };
}

function downloadSize({ files }: InstallableModel): number {
  return Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Published and converted weights, a quarter of that size, exist together for a while. */
async function checkRoom(folder: string, model: InstallableModel): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const needed = downloadSize(model) * 1.5 + spareBytes;
  if (bavail * bsize >= needed) return;
  const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024).toLocaleString('en');
  throw unavailable(
    `There is too little room in the data folder: ${megabytes(needed)} MB are needed while installing, ${megabytes(bavail * bsize)} MB are free.`,
  );
}

function explained(cause: unknown): AppError {
  if (isOutOfRoom(cause)) {
    return unavailable('The disk is full. Make room, then run the command again.', { cause });
  }
  return unavailable(
    'The model was downloaded, but it cannot be made ready on this machine. Nothing was installed; report what the log says with --log-level debug.',
    { cause },
  );
}
