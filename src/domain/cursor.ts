import { hash } from 'node:crypto';
import { invalidInput } from '../errors.ts';

/*
 * Cursors are opaque to clients. They hold where the next answer begins and a short hash of the question, so that a
 * cursor sent with another question is refused instead of giving wrong results.
 */

function fingerprint(question: unknown): string {
  return hash('sha256', JSON.stringify(question), 'base64url').slice(0, 6);
}

/** @param position whole numbers that the reader of the cursor understands */
export function encodeCursor(question: unknown, position: readonly number[]): string {
  return `${fingerprint(question)}.${position.map((number) => number.toString(36)).join('.')}`;
}

/**
 * @returns the position, `length` whole numbers ≥ 0; zeros without a cursor
 * @throws {AppError} `invalid_input` for a cursor that was not made for this question
 */
export function decodeCursor(cursor: string | undefined, question: unknown, length: number): number[] {
  if (cursor === undefined) return Array.from({ length }, () => 0);
  const [print, ...digits] = cursor.split('.');
  const position = digits.map((text) => (/^[0-9a-z]{1,9}$/.test(text) ? Number.parseInt(text, 36) : Number.NaN));
  if (
    print !== fingerprint(question) ||
    position.length !== length ||
    position.some((number) => !Number.isSafeInteger(number))
  ) {
    throw invalidInput(
      'This cursor does not belong to this call. Leave out `cursor` to begin again, and repeat all other inputs unchanged when you use one.',
      {
        fields: [{ path: 'cursor', message: 'was not made for these inputs, or the item has changed since' }],
      },
    );
  }
  return position;
}
