import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A local web server for one test. */
export interface Site {
  url(path: string): string;
  server: Server;
  close(): Promise<void>;
}

export async function serveSite(answer: RequestListener, host = '127.0.0.1'): Promise<Site> {
  const server = createServer({ maxHeaderSize: 256 * 1024 }, answer);
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://${host}:${port}${path}`,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
