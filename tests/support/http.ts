import type { App } from '../../src/app/app.ts';
import type { AppOverrides } from '../../src/app/app-overrides.ts';
import type { HeldTo } from '../../src/domain/access/held.ts';
import { localAccountId, scopes as allScopes, type Scope } from '../../src/domain/records/account.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import type { HttpParts } from '../../src/http/mount.ts';
import { openTestServer } from './test-server.ts';
import { createRepeatedRequests } from '../../src/services/operating/repeated-requests.ts';
import { QueueCounter } from '../../src/services/operating/queue-figures.ts';

/** What a client sees of an answer. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; null when it is none. */
  body: never;
}

export interface AskOptions {
  method?: string;
  /** Null: no token. Absent: one that may do everything with the local account. */
  token?: string | null;
  headers?: Record<string, string>;
  /** An object is sent as JSON, a text as it is. */
  body?: unknown;
}

export interface HttpTestServer {
  app: App;
  folder: string;
  server: HttpServer;
  token: string;
  ask(path: string, options?: AskOptions): Promise<Answer>;
  createToken(options?: {
    account?: string;
    scopes?: readonly Scope[];
    lifetimeMs?: number;
    heldTo?: HeldTo;
  }): Promise<string>;
  close(): Promise<void>;
}

/** What `app.serve()` gives the server. */
export function httpParts(app: App): HttpParts {
  const { config, log, clock, version, services, requests, access, signIn } = app;
  return {
    config,
    log,
    clock,
    version,
    services,
    requests,
    access,
    signIn,
    assistants: app.assistants,
    fetchDocument: app.fetchDocument,
    repeatedRequests: createRepeatedRequests(app.stores),
    prepareSearch: app.prepareSearch,
    checkReadiness: () => Promise.resolve({ store: 'ok' }),
    countQueues: () => new QueueCounter(app.stores, clock).count(Number.POSITIVE_INFINITY),
  };
}

/** The whole program with its HTTP face, asked without a socket. */
export async function openHttpServer(
  settings: Record<string, unknown> = {},
  parts: Partial<HttpParts> = {},
  overrides: AppOverrides = {},
  environment: Record<string, string> = {},
): Promise<HttpTestServer> {
  const testServer = await openTestServer({ rateLimitPerMinute: 0, ...settings }, overrides, environment);
  const server = await createHttpServer({ ...httpParts(testServer.app), failedAuthPerMinute: 0, ...parts });
  const createToken: HttpTestServer['createToken'] = async ({ account, scopes, lifetimeMs, heldTo } = {}) => {
    const created = await testServer.app.access.createToken({
      account: account ?? localAccountId,
      name: 'test',
      scopes: scopes ?? allScopes,
      lifetimeMs,
      heldTo,
    });
    return created.token;
  };
  const token = await createToken();
  return {
    app: testServer.app,
    folder: testServer.folder,
    server,
    token,
    createToken,
    ask: (path, options) => ask((request) => Promise.resolve(server.app.fetch(request)), path, token, options),
    close: async () => {
      await server.close();
      await testServer.close();
    },
  };
}

async function ask(
  fetch: (request: Request) => Promise<Response>,
  path: string,
  standardToken: string,
  { method = 'GET', token = standardToken, headers = {}, body }: AskOptions = {},
): Promise<Answer> {
  const isText = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !isText && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? (body as string) : JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (isJson ? JSON.parse(text) : null) as never,
  };
}
