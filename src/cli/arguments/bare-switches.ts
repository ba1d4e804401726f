import { z } from 'zod';
import { flagName } from '../../settings/config.ts';
import { settings, type SettingName } from '../../settings/settings.ts';

const switches: ReadonlySet<string> = new Set(
  (Object.keys(settings.shape) as SettingName[])
    .filter((name) => settings.shape[name].unwrap() instanceof z.ZodBoolean)
    .map(flagName),
);
const onOrOff = /^(?:true|false|yes|no|on|off|[01])$/i;

/**
 * Completes the flags of settings that are on or off and were given without a value: `serve --api-v1` becomes
 * `serve --api-v1=true`. Arguments after `--` stay as they are.
 */
export function withSwitchesOn(argv: readonly string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.map((argument, at) =>
    at < end && switches.has(argument) && !onOrOff.test(argv[at + 1] ?? '') ? `${argument}=true` : argument,
  );
}
