import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

/** An authorization server elsewhere, as far as its metadata, its keys and its tokens go. */
export interface Issuer {
  /** Its address, without a trailing slash. */
  url: string;
  /** How often its keys were fetched. */
  keysFetched: () => number;
  /** Replaces its keys by a new one. */
  rotate(): Promise<void>;
  /** The answer in place of its metadata or its keys: a status. */
  fail(status: number | null): void;
  /** Changes its metadata. */
  describe(changes: Record<string, unknown>): void;
  /** Signs a token; claims that are undefined are left out. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  publicKey: () => JWK;
  close(): Promise<void>;
}

/** @param nowMs the time of its tokens */
export async function startIssuer(audience: string, nowMs: () => number): Promise<Issuer> {
  let pair: { publicKey: CryptoKey; privateKey: CryptoKey };
  let jwk: JWK = {};
  let made = 0;
  let fetched = 0;
  let failing: number | null = null;
  let changed: Record<string, unknown> = {};
  const rotate = async () => {
    made += 1;
    pair = await generateKeyPair('ES256', { extractable: true });
    jwk = { ...(await exportJWK(pair.publicKey)), kid: `key ${made}`, alg: 'ES256', use: 'sig' };
  };
  await rotate();
  let url = '';
  const server = createServer((request, response) => {
    const answers: Record<string, () => unknown> = {
      '/.well-known/openid-configuration': () => ({ issuer: url, jwks_uri: `${url}/keys`, ...changed }),
      '/keys': () => {
        fetched += 1;
        return { keys: [jwk] };
      },
    };
    const answer = failing === null ? answers[request.url ?? ''] : undefined;
    response.writeHead(answer === undefined ? (failing ?? 404) : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer?.() ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    keysFetched: () => fetched,
    rotate,
    fail: (status) => (failing = status),
    describe: (changes) => (changed = changes),
    sign(claims, header = {}) {
      const now = Math.floor(nowMs() / 1_000);
      const usual = { iss: url, aud: audience, sub: 'ann', iat: now, exp: now + 300, scope: 'search:read goals:read' };
      const payload = Object.fromEntries(
        Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined),
      );
      const head = { alg: 'ES256', typ: 'at+jwt', kid: jwk.kid ?? '', ...header };
      return new SignJWT(payload).setProtectedHeader(head).sign(pair.privateKey);
    },
    publicKey: () => jwk,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
