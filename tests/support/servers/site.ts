import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Route = (request: IncomingMessage, response: ServerResponse) => void;

/** A web site on this machine for as long as a test runs. Paths without a route are 404. */
export interface Site {
  url: string;
  routes: Map<string, Route>;
  /** Paths in the order in which they were asked for. */
  requests: string[];
  close(): Promise<void>;
}

export async function startSite(): Promise<Site> {
  const routes = new Map<string, Route>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname;
    requests.push(path);
    const route = routes.get(path);
    if (route === undefined) response.writeHead(404).end('not here');
    else route(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    routes,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function serve(body: string | Uint8Array, type = 'text/html; charset=utf-8'): Route {
  return (_request, response) => response.writeHead(200, { 'content-type': type }).end(body);
}

/** A small page with its own article. */
export function articlePage(title: string, paragraphs: readonly string[]): string {
  const body = paragraphs.map((text) => `<p>${text}</p>`).join('\n');
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><nav><a href="/">Home</a></nav><main><article><h1>${title}</h1>${body}</article></main><footer>© Somebody</footer></body></html>`;
}
