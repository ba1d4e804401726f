import type { ForeignFile } from './export-files.ts';
import { decodeHead } from './text-chunks.ts';

const headBytes = 65_536;

/** The text with which a file begins. */
export async function headOf(file: ForeignFile | undefined, length = headBytes): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of file?.read() ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= length) break;
  }
  return decodeHead(Buffer.concat(chunks).subarray(0, length));
}
