import { createHash, randomBytes } from 'node:crypto';
import { answer, callback } from './assistant.ts';
import { becomeOwner, serveSignIn, type SignInServer } from './sign-in.ts';

/* An assistant that speaks plain HTTP, so that it can do what no library would. */

/** All scopes. */
export const everything = [
  'content:read',
  'content:write',
  'search:read',
  'actions:read',
  'actions:write',
  'goals:read',
  'goals:write',
];
export const allow = { decision: 'allow', scope: everything };

export async function register(url: string, metadata: Record<string, unknown> = {}) {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Raw', redirect_uris: [callback], ...metadata }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

export function authorizeUrl(url: string, clientId: string, changes: Record<string, string | null> = {}) {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams();
  const usual = {
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    state: 'state 1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries({ ...usual, ...changes })) if (value !== null) query.set(name, value);
  return { address: `${url}/oauth/authorize?${query}`, verifier };
}

export async function token(url: string, fields: Record<string, string>) {
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

/** Connects an assistant that speaks plain HTTP with all that it asks for. */
export async function connect(testServer: SignInServer, changes: Record<string, string | null> = {}) {
  const { body } = await register(testServer.url);
  const clientId = body['client_id'] ?? '';
  const { address, verifier } = authorizeUrl(testServer.url, clientId, changes);
  const place = await answer(testServer.browser, address, allow);
  const exchange = {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: callback,
    code_verifier: verifier,
  };
  const code = place.searchParams.get('code') ?? '';
  return { clientId, code, exchange: { ...exchange, code }, place };
}

export async function connected(testServer: SignInServer) {
  const { clientId, exchange } = await connect(testServer);
  const { body } = await token(testServer.url, exchange);
  const refresh = (value = body['refresh_token'] ?? '') =>
    token(testServer.url, { grant_type: 'refresh_token', client_id: clientId, refresh_token: value });
  return { clientId, access: body['access_token'] ?? '', refreshToken: body['refresh_token'] ?? '', refresh };
}

export async function statusWith(url: string, access: string, path = '/content'): Promise<number> {
  return (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${access}` } })).status;
}

export async function owned(...given: Parameters<typeof serveSignIn>): Promise<SignInServer> {
  const testServer = await serveSignIn(...given);
  await becomeOwner(testServer);
  return testServer;
}
