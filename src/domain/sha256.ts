import { subtle } from 'node:crypto';

/** Runs in Node's thread pool: the bytes may be many megabytes. @returns 32 bytes */
export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
}

/** The same in hexadecimal. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await sha256(bytes)).toString('hex');
}
