import { InvalidArgumentError } from 'commander';
import { cleanLine } from '../../../domain/text/clean-text.ts';

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000, y: 365 * 86_400_000 } as const;

/** `90d` → milliseconds. */
export function parseLifetime(text: string): number {
  const [, count, unit] = /^(\d{1,4})([mhdwy])$/.exec(text.trim()) ?? [];
  const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
  if (!(ms > 0)) throw new InvalidArgumentError('It must be a length of time such as 12h, 90d or 1y.');
  return ms;
}

export function parseName(text: string): string {
  const name = cleanLine(text);
  if (name === '' || name.length > 100) throw new InvalidArgumentError('A name has 1 to 100 characters.');
  return name;
}
