import type { OpenApp, OpenOptions, ProgramParts } from '../cli/context.ts';
import type { Config } from '../settings/config.ts';
import { createLog } from '../workers/log.ts';
import { createApp } from './app.ts';
import { openDataFolder } from './installations/data-folder.ts';
import type { TakeModelAhead } from './model-ahead.ts';
import { createSystemClock } from '../workers/system-clock.ts';

/** For `migrate` and `move`. */
export const openDatabases: ProgramParts['databases'] = async () => {
  const { createDatabases } = await import('./installations/databases.ts');
  const clock = createSystemClock();
  const openFolder = ({ data, logLevel, synchronous }: Config) =>
    openDataFolder({ folder: data, clock: clock, log: createLog(logLevel), synchronous });
  return createDatabases(openFolder, clock);
};

export const openCommandApp = (
  config: Config,
  options: OpenOptions = {},
  takeModelAhead?: TakeModelAhead,
): ReturnType<OpenApp> =>
  createApp(
    {
      ...config,
      ...options.settings,
      workers: Math.max(config.workers, options.minWorkers ?? 0),
    },
    {
      isServer: options.isServer ?? false,
      servesMany: options.servesMany ?? false,
      loadsModel: options.loadsModel ?? false,
      adopting: options.adopting,
      ...(takeModelAhead !== undefined && { takeModelAhead }),
    },
  );
