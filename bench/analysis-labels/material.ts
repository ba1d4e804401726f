import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export type Split = 'train' | 'held-out';

export interface LabelledGoal {
  language: string;
  title: string;
  category: 'Health' | 'Wealth' | 'Relationships';
  description?: string;
}

/** An own action in its place, and the goal it is shown with; whether it serves that goal is for the labellers. */
export interface OwnAction {
  title: string;
  heading: string;
  action: string;
  goal: string;
}

/** The first 16 digits of the SHA-256: names a text that may not be copied. */
export function hash16(text: string): string {
  return createHash('sha256').update(text.normalize('NFC')).digest('hex').slice(0, 16);
}

/** In an order of chance that is the same each time and does not change when others are added. */
export function byChance<Of>(all: readonly Of[], key: (one: Of) => string): Of[] {
  const place = new Map(all.map((one) => [one, hash16(`seed 47 ${key(one)}`)]));
  return all.toSorted((x, y) => ((place.get(x) ?? '') < (place.get(y) ?? '') ? -1 : 1));
}

/** Whole pages are kept apart, so that rules are tried on pages that nobody looked at. */
export function splitOf(page: string): Split {
  return Number.parseInt(hash16(`split ${page}`).slice(0, 4), 16) % 2 === 0 ? 'train' : 'held-out';
}

export function readLines<Line>(file: string | URL): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
