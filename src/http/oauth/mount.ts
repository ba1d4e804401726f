import type { Hono } from 'hono';
import { scopes } from '../../domain/records/account.ts';
import { AppError, httpStatus } from '../../errors.ts';
import { type HttpContext, type HttpEnv, respond } from '../context.ts';
import { HttpRefusal } from '../problem.ts';
import { checkAuthorizationSettings } from '../sign-in/check-settings.ts';
import { readSmallBody } from '../sign-in/sign-in-pages.ts';
import type { Mount, MountParts } from '../mount.ts';
import { addAskingRoutes } from './asking-routes.ts';
import { knownResource, readClientMetadata } from './client-metadata.ts';
import {
  alreadySent,
  createServerParts,
  nodeExchange,
  replayed,
  type ServerParts,
  setStandardHeaders,
} from './server-parts.ts';

/** Lets assistants ask a person for access (OAuth 2.1). There where people can sign in, unless they do so elsewhere. */
export const mountOAuth: Mount = (app, parts) => {
  if (parts.config.authorizationServer !== '') {
    checkAuthorizationSettings(parts.config);
    return;
  }
  if (parts.config.signIn === 'off') {
    refuseRegistration(app);
    return;
  }
  const server = createServerParts(parts);
  addMetadata(app, server);
  addAssistantRoutes(app, parts, server);
  addAskingRoutes(app, parts, server);
};

/**
 * While sign-in is off, clients that find no metadata register at this path of older versions of MCP. They show this answer,
 * instead of waiting for a person who is never asked: mcp-remote waited a minute and a half, because it looks for the word in the
 * title of a 401.
 */
function refuseRegistration(app: Hono<HttpEnv>): void {
  app.post('/register', (context) =>
    respond(
      context,
      403,
      JSON.stringify({
        error: 'access_denied',
        error_description:
          'Nobody can sign in to this server: it takes tokens, and there was none or a wrong one. `commonplace token create laptop` makes one, and the client sends it in the header Authorization.',
      }),
      { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    ),
  );
}

/** The metadata of the authorization server (RFC 8414). */
function addMetadata(app: Hono<HttpEnv>, { browsers }: ServerParts): void {
  for (const path of ['', '/mcp', '/mcp/']) {
    app.get(`/.well-known/oauth-authorization-server${path}`, (context) => {
      const issuer = browsers.originOf(context);
      const metadata = {
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
        registration_endpoint: `${issuer}/oauth/register`,
        revocation_endpoint: `${issuer}/oauth/revoke`,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        scopes_supported: scopes,
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
        service_documentation: `${issuer}/docs`,
      };
      return respond(context, 200, JSON.stringify(metadata), {
        'Content-Type': 'application/json',
        'Cache-Control': 'no-cache',
      });
    });
  }
}

/** Adds the routes that assistants call themselves: registration, tokens, revocation. No cookie has any effect here. */
function addAssistantRoutes(app: Hono<HttpEnv>, { addressOf }: MountParts, server: ServerParts): void {
  const pass = async (context: HttpContext, body: string): Promise<Response> => {
    const origin = server.browsers.originOf(context);
    const { incoming, outgoing } = nodeExchange(context);
    const request = replayed(incoming, origin, body);
    delete request.headers.cookie;
    setStandardHeaders(context, outgoing);
    await (await server.providerOf(origin)).callback()(request, outgoing);
    return alreadySent(context, outgoing);
  };
  app.post('/oauth/register', (context) =>
    inOAuthWords(context, 'invalid_client_metadata', async () => {
      await server.limits.count('register', addressOf(context));
      const { metadata } = readClientMetadata(await readSmallBody(context, 'application/json'));
      return pass(context, JSON.stringify(metadata));
    }),
  );
  for (const path of ['/oauth/token', '/oauth/revoke']) {
    app.post(path, (context) =>
      inOAuthWords(context, 'invalid_request', async () => {
        await server.limits.count('token', addressOf(context));
        const body = new URLSearchParams(await readSmallBody(context, 'application/x-www-form-urlencoded'));
        for (const resource of body.getAll('resource').slice(0, 1)) body.set('resource', knownResource(resource));
        return pass(context, body.toString());
      }),
    );
  }
}

/** Refusals in the form that OAuth clients expect (RFC 6749, 5.2; RFC 7591, 3.2.2). */
async function inOAuthWords(context: HttpContext, code: string, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isLimit = error.code === 'rate_limited';
    const body = { error: isLimit ? 'temporarily_unavailable' : code, error_description: error.message };
    return respond(context, httpStatus[error.code], JSON.stringify(body), {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      ...(error instanceof HttpRefusal && error.headers),
    });
  }
}
