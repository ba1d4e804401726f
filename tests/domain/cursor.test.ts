import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../src/domain/cursor.ts';
import { forAll } from '../support/for-all.ts';

const position = fc.array(fc.nat({ max: 2 ** 31 }), { minLength: 1, maxLength: 4 });

describe('a cursor', () => {
  it('leads back to its place', () => {
    forAll(fc.jsonValue(), position, (question, place) => {
      const cursor = encodeCursor(question, place);
      expect(decodeCursor(cursor, question, place.length)).toEqual(place);
      expect(cursor).toMatch(/^[\w.-]{1,200}$/);
    });
  });

  it('is refused by every other query', () => {
    forAll(fc.jsonValue(), fc.jsonValue(), position, (question, other, place) => {
      fc.pre(JSON.stringify(question) !== JSON.stringify(other));
      expect(() => decodeCursor(encodeCursor(question, place), other, place.length)).toThrow(
        expect.objectContaining({ code: 'invalid_input' }),
      );
    });
  });

  it('is refused when it is invalid', () => {
    const cursor = encodeCursor('q', [1, 2]);
    const print = cursor.split('.')[0];
    const broken = [
      '',
      '.',
      'x',
      cursor.slice(0, -2),
      `${cursor}.1`,
      `${print}.1.-2`,
      `${print}.1.`,
      `${print}. 1.2`,
      `${print}.1.${'z'.repeat(10)}`,
      '__proto__',
      '🙂.1.2',
    ];
    for (const text of broken) {
      expect(() => decodeCursor(text, 'q', 2), text).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    }
  });

  it('may be missing: then the list starts at the beginning', () => {
    expect(decodeCursor(undefined, 'anything', 3)).toEqual([0, 0, 0]);
  });

  it('is refused with advice on what to do', () => {
    expect(() => decodeCursor('nonsense', 'q', 1)).toThrowErrorMatchingInlineSnapshot(
      `[AppError: This cursor does not belong to this call. Leave out \`cursor\` to begin again, and repeat all other inputs unchanged when you use one.]`,
    );
  });
});
