import { AppError } from '../../errors.ts';
import { maxTags } from './limits.ts';

/** The form in which tags are compared: it ignores letter case and how accents are encoded. */
export function foldTag(tag: string): string {
  return tag.toWellFormed().normalize('NFC').toLowerCase();
}

export function tooManyTags(): AppError {
  return new AppError(
    'invalid_input',
    `An item has at most ${maxTags} tags, including those it already has. Give fewer.`,
  );
}
