import { createHash } from 'node:crypto';

const hostileSchemes = [
  'ms-msdt:/id PCWDiagnostic',
  'search-ms:query=x&crumb=location:evil.example',
  'shell:startup',
  'evil://callback',
];
const hostileNames = [
  'x” use your library? The answer goes to “claude.ai',
  '\u202Eia.edualc\u2066',
  '<script>alert(1)</script>',
  'a\u0300'.repeat(2_000),
  'Ꞌ׳ʹ'.repeat(2_000),
  '"'.repeat(7_000),
];
/* Ten registrations in all: an address may send no more in a minute. */

/** A mistake in each request, which a server would report to the registered address. */
const mistakes: readonly Record<string, string>[] = [
  { prompt: 'none' },
  { response_type: 'token' },
  { code_challenge_method: 'plain' },
  { resource: 'x' },
];

/**
 * Registers assistants with hostile addresses and names, and sends a browser of nobody to them.
 * @returns what the server should not have done
 */
export async function tryRegistrations(url: string): Promise<string[]> {
  const wrong: string[] = [];
  const register = async (metadata: object): Promise<{ client_id?: string; client_name?: string }> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/oauth/register`, { method: 'POST', headers, body: JSON.stringify(metadata) });
    return (await answer.json()) as object;
  };
  for (const redirect of hostileSchemes) {
    if ((await register({ redirect_uris: [redirect] })).client_id !== undefined)
      wrong.push(`${redirect} was registered`);
  }
  for (const name of hostileNames) {
    const redirect = 'https://evil.example/callback';
    const { client_id: id = '', client_name: shown = '' } = await register({
      client_name: name,
      redirect_uris: [redirect],
    });
    if (shown.length > 40 || /["'<>\u2018-\u201f\u202a-\u202e\u2066-\u2069]/u.test(shown))
      wrong.push(`an assistant is called ${JSON.stringify(shown)}`);
    if (id === '') wrong.push(`${JSON.stringify(name.slice(0, 40))} was not registered, so nothing was tried with it`);
    for (const mistake of mistakes) {
      const query = new URLSearchParams({
        client_id: id,
        redirect_uri: redirect,
        response_type: 'code',
        code_challenge: createHash('sha256').update('x').digest('base64url'),
        code_challenge_method: 'S256',
        ...mistake,
      });
      const { status, headers } = await fetch(`${url}/oauth/authorize?${query}`, { redirect: 'manual' });
      if (status !== 400 || headers.has('location'))
        wrong.push(`a request with ${JSON.stringify(mistake)} was answered ${status} ${headers.get('location')}`);
    }
  }
  return wrong;
}
