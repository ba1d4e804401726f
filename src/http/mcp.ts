import type { McpServer } from '@modelcontextprotocol/server';
import type { Hono } from 'hono';
import type { Config } from '../settings/config.ts';
import { isLoopbackHost } from '../domain/links/configured-addresses.ts';
import { createMcpEndpoint } from '../mcp/http.ts';
import { createMcpServer } from '../mcp/server.ts';
import { searchAsAssistant } from '../mcp/search-as-assistant.ts';
import { type McpParts, shownToolSets } from '../mcp/mcp-parts.ts';
import { mayCall } from '../operations/call.ts';
import { search } from '../operations/search.ts';
import { scopes, type Caller } from '../domain/records/account.ts';
import { requireToken, respond, type HttpEnv } from './context.ts';
import { OpenCalls, type ShownToken } from './incoming/open-calls.ts';
import { createOwnAddress } from './addresses.ts';
import { HttpRefusal } from './problem.ts';
import type { Mount, MountParts } from './mount.ts';

/** Clients compare the metadata with the address that they were given, so both have their own. */
const paths = ['/mcp', '/mcp/'] as const;
const metadataPath = '/.well-known/oauth-protected-resource';

/** Serves MCP to every client with a token. The token's scopes decide which tools it sees. */
export const mountMcp: Mount = (app, parts) => addMcpRoutes(app, parts, createMcpServer);

/**
 * Adds `/mcp`, also with a slash at its end, and the protected-resource metadata (RFC 9728) to which a 401 response points.
 * @param build builds the MCP server for one request
 * @returns closes the MCP endpoint
 */
export function addMcpRoutes(
  app: Hono<HttpEnv>,
  { config, log, clock, version, services, requests, prepareSearch, authenticate, bodies, ending }: MountParts,
  build: (parts: McpParts) => McpServer,
): () => Promise<void> {
  const sets = shownToolSets(config);
  const calls = new OpenCalls(clock);
  // Each request has its own caller.
  const shownTokens = new WeakMap<Caller, ShownToken>();
  const endpoint = createMcpEndpoint({
    buildServer: (caller) => {
      const shown = shownTokens.get(caller);
      return build({
        services: () => Promise.resolve(services),
        caller,
        ...(shown !== undefined && { beginCall: () => calls.begin(shown) }),
        sets,
        stopping: ending,
        log,
        version,
      });
    },
    isAllowedOrigin: createOriginCheck(config),
    requests,
    // The client's first search finds everything loaded. When this fails, that search says why.
    greeted: (caller) => {
      if (!mayCall(search, caller)) return;
      prepareSearch(caller.accountId, searchAsAssistant(services, caller)).catch((error: unknown) =>
        log.debug({ err: error }, 'searching could not be prepared'),
      );
    },
    log,
  });
  const baseOf = createOwnAddress(config);

  for (const at of paths)
    app.all(at, async (context) => {
      try {
        const caller = await authenticate(context);
        shownTokens.set(caller, requireToken(context));
        return await endpoint.handle(context.req.raw, caller, (limits) => bodies.read(context, limits));
      } catch (error) {
        throw pointToMetadata(error, `${baseOf(context)}${metadataPath}${at}`);
      }
    });
  for (const resource of ['', ...paths]) {
    app.get(`${metadataPath}${resource}`, (context) =>
      respond(
        context,
        200,
        JSON.stringify(resourceMetadata(baseOf(context), resource, issuerOf(config, baseOf(context)))),
        {
          'Content-Type': 'application/json',
          'Cache-Control': 'no-cache',
        },
      ),
    );
  }
  return () => {
    calls.close();
    return endpoint.close();
  };
}

/** The authorization server: one elsewhere, or this one where people can sign in. Null: the operator hands out tokens. */
function issuerOf({ authorizationServer, signIn }: Config, base: string): string | null {
  if (authorizationServer !== '') return authorizationServer;
  return signIn === 'off' ? null : base;
}

function resourceMetadata(base: string, path: string, issuer: string | null): object {
  return {
    resource: `${base}${path}`,
    resource_name: 'Commonplace',
    ...(issuer !== null && { authorization_servers: [issuer] }),
    bearer_methods_supported: ['header'],
    scopes_supported: scopes,
  };
}

function pointToMetadata(error: unknown, address: string): unknown {
  if (!(error instanceof HttpRefusal) || error.code !== 'unauthorized') return error;
  const challenge = `${error.headers['WWW-Authenticate'] ?? 'Bearer'}, resource_metadata="${address}"`;
  return new HttpRefusal(error.code, error.message, {
    headers: { ...error.headers, 'WWW-Authenticate': challenge },
    cause: error,
  });
}

/**
 * Decides which web pages may call: those whose origin is in the settings, and those of this server itself. The
 * server's own origin is accepted only under a loopback host name. With DNS rebinding a web page keeps its own host
 * name, so it never matches.
 */
function createOriginCheck(
  config: Pick<Config, 'corsOrigins' | 'publicUrl'>,
): (origin: string, host: string) => boolean {
  const allowed = new Set(config.corsOrigins);
  if (config.publicUrl !== '') allowed.add(new URL(config.publicUrl).origin);
  return (origin, host) =>
    allowed.has(origin) || (origin === `http://${host}` && isLoopbackHost(host.replace(/:\d*$/, '').toLowerCase()));
}
