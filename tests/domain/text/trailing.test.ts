import { expect, test } from 'vitest';
import { withoutTrailing } from '../../../src/domain/text/shortened.ts';

test('trailing characters are removed, but kept in the middle', () => {
  expect(withoutTrailing('https://a.example/b//', '/')).toBe('https://a.example/b');
  expect(withoutTrailing('a., b.;,', '.;,')).toBe('a., b');
  expect(withoutTrailing('...', '.')).toBe('');
  expect(withoutTrailing('a', '.')).toBe('a');
});
