import { fileURLToPath } from 'node:url';
import {
  Client as ClientV2,
  InMemoryTransport,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { App } from '../../src/app/app.ts';
import { localCaller, type Caller } from '../../src/domain/records/account.ts';
import { notice } from '../../src/operations/answers/for-models.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { toolSets, type Services, type ToolSet } from '../../src/operations/operation.ts';
import { isThorough } from './vitest/thorough.ts';

/** What the tests need of a client, whichever SDK it is from. */
export interface TestClient {
  instructions(): string | undefined;
  listTools(): Promise<ListedTool[]>;
  call(name: string, input?: object, options?: CallOptions): Promise<ToolResult>;
  capabilities(): object | undefined;
  listPrompts(): Promise<ListedPrompt[]>;
  /** The text of a prompt's messages, which are of the user and of text alone. */
  getPrompt(name: string, given?: Record<string, string>): Promise<string>;
  listResources(): Promise<{ uri: string; name: string }[]>;
  listTemplates(): Promise<{ uriTemplate: string; name: string }[]>;
  /** The text of a resource, which is one. */
  readResource(uri: string): Promise<string>;
  /** What is suggested for an argument of a prompt, or of a template's address. */
  complete(of: { prompt: string } | { template: string }, argument: string, typed: string): Promise<string[]>;
  close(): Promise<void>;
}

export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: object;
  annotations?: object;
}

interface ListedPrompt {
  name: string;
  title?: string;
  description?: string;
  arguments?: { name: string; description?: string; required?: boolean }[];
}

interface CallOptions {
  onprogress?: (progress: { progress: number; total?: number; message?: string }) => void;
  signal?: AbortSignal;
}

export interface ToolResult {
  isError: boolean;
  text: string;
  /** What the text says, without its marker; undefined for an error. */
  structured: unknown;
}

export const builtProgram = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** The clients of the field: which SDK, and which era it speaks. */
export const clientKinds = ['v1 client', 'v2 client, 2025-11-25', 'v2 client, 2026-07-28'] as const;
/** For journeys with every tool. The one that is left out shares its SDK with one of the others, and its era with the other; `prompts.test.ts` has all. */
export const journeyKinds = isThorough ? clientKinds : clientKinds.filter((kind) => kind !== 'v2 client, 2025-11-25');
export type ClientKind = (typeof clientKinds)[number];

function toolResult(result: unknown): ToolResult {
  const { isError, content } = result as { isError?: boolean; content?: { type: string; text?: string }[] };
  const text = content?.[0]?.text ?? '';
  if (isError === true) return { isError, text, structured: undefined };
  const { notice: marker, ...structured } = JSON.parse(text) as { notice?: string };
  // Every answer says first what it is.
  if (marker !== notice.notice || !text.startsWith('{"notice":')) throw new Error(`an answer is not marked: ${text}`);
  return { isError: false, text, structured };
}

function wrap(client: ClientV1 | ClientV2): TestClient {
  return {
    instructions: () => client.getInstructions(),
    listTools: async () => (await client.listTools()).tools as ListedTool[],
    call: async (name, input = {}, options = {}) => {
      const params = { name, arguments: { ...input } };
      return toolResult(
        client instanceof ClientV1
          ? await client.callTool(params, undefined, options)
          : await client.callTool(params, options),
      );
    },
    capabilities: () => client.getServerCapabilities(),
    listPrompts: async () => (await client.listPrompts()).prompts as ListedPrompt[],
    getPrompt: async (name, given = {}) => {
      const { messages } = await client.getPrompt({ name, arguments: given });
      return messages
        .map(({ role, content }) => {
          if (role !== 'user' || content.type !== 'text') throw new Error('a prompt is text of the user');
          return content.text;
        })
        .join('\n');
    },
    listResources: async () => (await client.listResources()).resources,
    listTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
    readResource: async (uri) => {
      const { contents } = await client.readResource({ uri });
      const [only] = contents;
      if (contents.length !== 1 || only === undefined || !('text' in only)) throw new Error('a resource is one text');
      return only.text;
    },
    complete: async (of, argument, typed) => {
      const ref =
        'prompt' in of
          ? { type: 'ref/prompt' as const, name: of.prompt }
          : { type: 'ref/resource' as const, uri: of.template };
      return (await client.complete({ ref, argument: { name: argument, value: typed } })).completion.values;
    },
    close: () => client.close(),
  };
}

function clientV2(kind: ClientKind): ClientV2 {
  return new ClientV2(
    { name: 'test', version: '1.0.0' },
    kind === 'v2 client, 2026-07-28' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
}

/** Resolves when the connection is closed, by either side. */
function closing(client: ClientV1 | ClientV2): Promise<void> {
  return new Promise((resolve) => void Object.assign(client, { onclose: () => resolve() }));
}

/** Starts the built server as a desktop assistant does and connects to it. */
export async function connectOverStdio(
  kind: ClientKind,
  folder: string,
  flags: readonly string[] = [],
  env?: NodeJS.ProcessEnv,
): Promise<TestClient & { pid: number; whenClosed: Promise<void> }> {
  const server = {
    command: process.execPath,
    args: [builtProgram, 'stdio', '--data', folder, '--allow-private-addresses', 'true', ...flags],
    stderr: 'ignore' as const,
    ...(env !== undefined && { env: env as Record<string, string> }),
  };
  if (kind === 'v1 client') {
    const transport = new StdioV1(server);
    const client = new ClientV1({ name: 'test', version: '1.0.0' });
    const whenClosed = closing(client);
    await client.connect(transport);
    return { ...wrap(client), pid: transport.pid ?? 0, whenClosed };
  }
  const transport = new StdioV2(server);
  const client = clientV2(kind);
  const whenClosed = closing(client);
  await client.connect(transport);
  return { ...wrap(client), pid: transport.pid ?? 0, whenClosed };
}

/**
 * Connects over HTTP, as a remote assistant does.
 * @param url of the server; `/mcp` is added
 */
export async function connectOverHttp(kind: ClientKind, url: string, token: string): Promise<TestClient> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const endpoint = new URL('/mcp', url);
  if (kind === 'v1 client') {
    const client = new ClientV1({ name: 'test', version: '1.0.0' });
    await client.connect(new HttpV1(endpoint, { requestInit }) as Parameters<ClientV1['connect']>[0]);
    return wrap(client);
  }
  const client = clientV2(kind);
  await client.connect(new HttpV2(endpoint, { requestInit }));
  return wrap(client);
}

/** Connects to the test server inside this process. */
export async function connectInMemory(
  app: App,
  kind: Exclude<ClientKind, 'v1 client'> = 'v2 client, 2026-07-28',
  sets: readonly ToolSet[] = toolSets,
  caller: Caller = localCaller(),
  services: () => Promise<Services> = () => Promise.resolve(app.services),
): Promise<TestClient> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const parts = {
    services,
    caller,
    sets: new Set(sets),
    log: app.log,
    version: app.version,
  };
  const server = serveStdio(() => createMcpServer(parts), { transport: serverSide });
  const client = clientV2(kind);
  await client.connect(clientSide);
  return {
    ...wrap(client),
    close: async () => {
      await client.close();
      await server.close();
    },
  };
}
