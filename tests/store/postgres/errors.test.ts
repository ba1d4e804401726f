import { expect, it } from 'vitest';
import type { AppError } from '../../../src/errors.ts';
import { explained } from '../../../src/store/postgres/database.ts';

it.each([
  ['57P01', 'does not answer'],
  ['CONNECTION_LOST', 'does not answer'],
  ['25006', 'accepts no writes'],
  ['53100', 'no room left'],
  ['53300', 'too many connections'],
])("the failure %s is explained without the server's text", (code, words) => {
  const failure = Object.assign(new Error('secret text of a statement'), { code });
  const said = explained(failure) as AppError;
  expect(said).toMatchObject({ code: 'unavailable', cause: failure });
  expect(said.message).toContain(words);
  expect(said.message).not.toContain('secret');
});
