import { idPattern } from '../records/ids.ts';

/** The account that a fresh install has and that stdio and the CLI use without a token. */
export const localAccountId = 'local';

const accountIdPattern = idPattern('u');

/** Whether an account id may become a file name. */
export function isAccountId(id: string): boolean {
  return id === localAccountId || accountIdPattern.test(id);
}
