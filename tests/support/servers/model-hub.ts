import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelHub {
  url: string;
  /** `<method> <path> <range>` of every request. */
  asked: string[];
  /** By path. */
  files: Map<string, Buffer>;
  /** Says something else than the file; false: the file after all. */
  misbehave: (request: IncomingMessage, response: ServerResponse, file: Buffer | undefined, number: number) => boolean;
  close(): Promise<void>;
}

/** A server that hands out files with ranges, as a model hub does. */
export async function startModelHub(): Promise<ModelHub> {
  const hub: ModelHub = { url: '', asked: [], files: new Map(), misbehave: () => false, close: async () => undefined };
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    hub.asked.push(`${request.method} ${url}${headers.range === undefined ? '' : ` ${headers.range}`}`);
    const file = hub.files.get(url);
    if (hub.misbehave(request, response, file, hub.asked.length)) return;
    if (file === undefined) return void response.writeHead(404).end();
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    if (from === 0) return void response.writeHead(200, { 'content-length': file.length }).end(file);
    if (from >= file.length) return void response.writeHead(416).end();
    response.writeHead(206, {
      'content-length': file.length - from,
      'content-range': `bytes ${from}-${file.length - 1}/${file.length}`,
    });
    response.end(file.subarray(from));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  hub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  hub.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return hub;
}
