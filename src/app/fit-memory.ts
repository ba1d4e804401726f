import type { Config } from '../settings/config.ts';
import { enoughMegabytes } from '../domain/memory-needs.ts';

/** With little memory, uses one worker and no search threads, unless the settings say otherwise. */
export function fitMemory(config: Config, megabytes: number): Config {
  if (megabytes >= enoughMegabytes) return config;
  return {
    ...config,
    ...(config.origins.workers === 'default' && { workers: Math.min(1, config.workers) }),
  };
}
