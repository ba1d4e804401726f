import { createHash } from 'node:crypto';

/** The key of an address, which may itself be longer than what an index holds. */
export function addressHash(address: string): Uint8Array {
  return createHash('sha256').update(address).digest();
}
