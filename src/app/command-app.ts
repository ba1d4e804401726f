import { join } from 'node:path';
import type { OpenApp, OpenOptions, ProgramParts } from '../cli/context.ts';
import type { Config } from '../settings/config.ts';
import { createLog } from '../log.ts';
import type { Analyst } from '../models/analysis/analyst.ts';
import { createApp } from './app.ts';
import { openDataFolder } from './installations/data-folder.ts';
import type { TakeModelAhead } from './model-ahead.ts';
import { createSystemClock } from '../workers/system-clock.ts';

/** Returns an empty analysis: for measuring retrieval. */
export const noAnalysis: Analyst = {
  by: 'extractive',
  model: null,
  analyse: () => Promise.resolve({ summary: null, insights: [], actions: [], droppedQuotes: 0 }),
};

/** For `migrate` and `move`. */
export const openDatabases: ProgramParts['databases'] = async () => {
  const { createDatabases } = await import('./installations/databases.ts');
  const clock = createSystemClock();
  const openFolder = ({ data, logLevel, synchronous }: Config) =>
    openDataFolder({ folder: data, clock: clock, log: createLog(logLevel), synchronous });
  return createDatabases(openFolder, clock);
};

/** Builds the application with the options of a command. */
export const openCommandApp = (
  config: Config,
  options: OpenOptions = {},
  takeModelAhead?: TakeModelAhead,
): ReturnType<OpenApp> =>
  createApp(
    {
      ...config,
      ...options.settings,
      data: options.data ?? config.data,
      // Another data folder means what is in that folder.
      databaseUrl: options.data === undefined ? config.databaseUrl : '',
      workers: Math.max(config.workers, options.minWorkers ?? 0),
    },
    {
      readOnly: options.readOnly ?? false,
      isServer: options.isServer ?? false,
      isForOnePerson: options.isForOnePerson ?? false,
      loadsModel: options.loadsModel ?? false,
      adopting: options.adopting,
      modelsFolder: join(config.data, 'models'),
      ...(takeModelAhead !== undefined && { takeModelAhead }),
      ...(options.withoutAnalysis === true && { analyst: noAnalysis, writer: null }),
    },
  );
