import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeText, encodeText } from '../../../src/store/postgres/driver/tag.ts';
import { forAll } from '../../support/for-all.ts';

it('returns every text, and stores none with U+0000', () => {
  const parts = fc.constantFrom('\0', '\u{10FFFE}', '\u{10FFFE}0', '\u{10FFFE}1', '0', '1', 'a', '🦊');
  const text = fc.oneof(
    fc.string(),
    fc.array(parts).map((all) => all.join('')),
  );
  forAll(text, (given) => {
    expect(encodeText(given)).not.toContain('\0');
    expect(decodeText(encodeText(given))).toBe(given);
  });
});
