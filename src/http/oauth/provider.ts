import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { errors, interactionPolicy, Provider, type OidcClient, type OidcContext } from 'oidc-provider';
import type { Clock } from '../../domain/clock.ts';
import { scopes } from '../../domain/records/account.ts';
import { oauthLifetimes } from '../../domain/access/oauth.ts';
import type { OAuthRecords } from '../../services/sign-in/sign-in.ts';
import { createRecordsAdapter } from './records-adapter.ts';

interface ProviderParts {
  /** The address of this server: `https://library.example.org`. */
  issuer: string;
  records: OAuthRecords;
  clock: Clock;
  /** Signs the cookies of requests under way. */
  cookieSecret: string;
  /** True if there is such an account. */
  hasAccount: (id: string) => Promise<boolean>;
  /** The account of the person who is signed in in the browser that sent this request. */
  accountOf: (request: IncomingMessage) => string | undefined;
  /** Fetches a client's metadata document. */
  fetch: (url: string) => Promise<Response>;
  /** True if the person in this browser has let in an assistant whose answers go to the same place. */
  isTrusted: (request: IncomingMessage, redirectUri: string) => Promise<boolean>;
  renderError: (ctx: OidcContext, error: { error: string; error_description?: string }) => void;
}

/** The resources that tokens are for (RFC 8707): the MCP endpoint, or the whole server. */
function resourcesOf(issuer: string): string[] {
  return [`${issuer}/mcp`, issuer, `${issuer}/`];
}

/** The authorization server: the code flow with PKCE for public clients, and nothing else. */
export function createProvider(parts: ProviderParts): Provider {
  const { issuer, records, clock, hasAccount, accountOf } = parts;
  const allScopes = scopes.join(' ');
  const [mcp = issuer] = resourcesOf(issuer);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  const provider = new Provider(issuer, {
    adapter: createRecordsAdapter(records, clock),
    clients: [],
    // Never used, because no ID tokens are made; without our own keys the library would use well-known ones.
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    clientDefaults: {
      id_token_signed_response_alg: 'ES256',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    scopes: [...scopes],
    claims: {},
    pkce: { required: () => true },
    ttl: { ...oauthLifetimes },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    // Access ends when the person ends it, not when their browser's session does.
    expiresWithSession: () => false,
    findAccount: async (_ctx: unknown, id: string) =>
      (await hasAccount(id)) ? { accountId: id, claims: () => ({ sub: id }) } : undefined,
    // Every request needs new consent: an earlier consent does not cover another program with the same client id.
    loadExistingGrant: (ctx: OidcContext) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    interactions: {
      url: (_ctx: unknown, { uid }: { uid: string }) => `/oauth/consent/${uid}`,
      policy: askingPolicy(accountOf),
    },
    cookies: {
      keys: [parts.cookieSecret],
      names: {
        session: 'commonplace-oauth',
        interaction: 'commonplace-oauth-request',
        resume: 'commonplace-oauth-resume',
      },
    },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
      jwks: '/oauth/jwks',
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx: unknown, client: OidcClient, token: { clientId?: string }) =>
          token.clientId === client.clientId,
      },
      registration: { enabled: true, initialAccessToken: false, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: { min: 60, max: 3_600 },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => mcp,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx: unknown, resource: string) => {
          if (!resourcesOf(issuer).includes(resource)) throw new errors.InvalidTarget();
          return {
            scope: allScopes,
            audience: resource,
            accessTokenFormat: 'opaque',
            accessTokenTTL: oauthLifetimes.AccessToken,
          };
        },
      },
    },
    fetch: (url: string | URL) => parts.fetch(String(url)),
    renderError: (ctx: OidcContext, out: { error: string; error_description?: string }) => parts.renderError(ctx, out),
  });
  provider.proxy = true;
  provider.use(keepHere(parts));
  return provider;
}

/**
 * Shows a page in place of a redirect that no person has agreed to. Anybody can register an address, and a request with
 * an error in it would lead every browser there: an open redirector (RFC 9700, 4.11.2).
 */
function keepHere({ issuer, isTrusted, renderError }: ProviderParts) {
  return async (ctx: OidcContext, next: () => Promise<void>): Promise<void> => {
    await next();
    const location = ctx.response.get('Location');
    if (location === '' || URL.parse(location, issuer)?.origin === issuer) return;
    // The person has just answered yes or no.
    const answer = ctx.oidc.entities.Interaction?.result;
    if (answer?.consent !== undefined || answer?.error !== undefined) return;
    if (await isTrusted(ctx.req, location)) return;
    ctx.remove('Location');
    ctx.status = 400;
    renderError(ctx, { error: /[?#&]error=(\w+)/.exec(location)?.[1] ?? 'invalid_request' });
  };
}

/** Requires signing in unless the browser's own session identifies the person, and always asks for consent. */
function askingPolicy(accountOf: ProviderParts['accountOf']): unknown {
  const { Check, base } = interactionPolicy;
  const policy = base();
  policy.get('login').checks.add(
    new Check('signed_in', 'the person has to sign in', (ctx) => {
      const account = ctx.oidc.session?.accountId;
      return account === undefined || account !== accountOf(ctx.req);
    }),
  );
  policy
    .get('consent')
    .checks.add(
      new Check(
        'asked',
        'the person has to be asked',
        'consent_required',
        (ctx) => ctx.oidc.result?.consent === undefined,
      ),
    );
  return policy;
}
