import { Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { RequestThread } from '../requests/request-thread.ts';
import type { McpParts } from './mcp-parts.ts';
import { createMcpServer } from './server.ts';
import { LineTransport } from './stdio-transport.ts';

export interface StdioStreams {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/**
 * Keeps stdout for the protocol alone: everything else that this process or its worker threads write to stdout goes to
 * stderr from now on.
 * @param written called after each write to stdout
 * @returns the stream that still writes to stdout
 */
export function reserveStdout({ stdout, stderr }: StdioStreams, written: () => void): Writable {
  const write = stdout.write.bind(stdout);
  const protocol = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      write(chunk, (error) => {
        done(error);
        written();
      });
    },
  });
  stdout.on('error', (error) => protocol.destroy(error));
  stdout.write = stderr.write.bind(stderr);
  return protocol;
}

/**
 * Serves MCP over stdio, for both protocol generations, until the client goes away (end of stdin, a broken pipe) or
 * `signal` is aborted. Calls in flight are then aborted.
 * @param answered called after every message to the client
 */
export async function serveMcpOverStdio(
  parts: McpParts & { requests: () => Promise<Pick<RequestThread, 'parse'>> },
  streams: StdioStreams,
  signal: AbortSignal,
  answered: () => void = () => undefined,
): Promise<void> {
  const protocol = reserveStdout(streams, answered);
  const gone = Promise.withResolvers<void>();
  for (const event of ['close', 'error'] as const) protocol.once(event, () => gone.resolve());
  signal.addEventListener('abort', () => gone.resolve(), { once: true });

  const transport = new LineTransport(streams.stdin, protocol, parts.requests, gone.resolve);
  const handle = serveStdio(() => createMcpServer(parts), {
    transport,
    onerror: (error) => parts.log.warn({ err: error }, 'a message could not be handled'),
  });
  if (!signal.aborted) await gone.promise;
  await handle.close();
}
