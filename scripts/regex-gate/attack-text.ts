import type { Attack } from './verdict.ts';

/** The attack as a text of about this many UTF-16 units, and never more: its pumps are repeated until it is as long. */
export function attackText({ pumps, suffix }: Attack, length: number): string {
  const fixed = pumps.reduce((sum, { prefix }) => sum + prefix.length, suffix.length);
  const pumped = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const count = Math.max(0, Math.floor((length - fixed) / Math.max(1, pumped)));
  return (pumps.map(({ prefix, pump }) => prefix + pump.repeat(count)).join('') + suffix).slice(0, length);
}
