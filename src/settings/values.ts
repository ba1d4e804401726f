import { z } from 'zod';

/** Separated by commas on the command line and in the environment. */
export const names = z.array(z.string().min(1));

/** Whether an address has a user name or a password in it. */
export function holdsUser(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.username !== '' || url.password !== '');
}
