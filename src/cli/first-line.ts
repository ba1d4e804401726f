import { createInterface } from 'node:readline';

/** The first line of a stream, such as a secret that was piped in; undefined when there is none. */
export async function firstLine(stream: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input: stream })) return line;
  return undefined;
}
