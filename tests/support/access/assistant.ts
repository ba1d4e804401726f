import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import type { TestBrowser } from './browser.ts';

type Tokens = { access_token: string; refresh_token?: string; scope?: string };

/** An assistant that connects by signing in: the SDK's client, and what it keeps. */
export interface Assistant {
  auth: OAuthClientProvider;
  /** Where the person was sent. */
  sentTo: () => URL;
  tokens: () => Tokens;
  clientId: () => string;
}

export const callback = 'https://assistant.example/callback';

export function createAssistant(metadata: Record<string, unknown> = {}): Assistant {
  let client: { client_id: string } | undefined;
  let tokens: Tokens | undefined;
  let verifier = '';
  let sentTo: URL | undefined;
  const auth = {
    redirectUrl: callback,
    clientMetadata: { client_name: 'Test assistant', redirect_uris: [callback], ...metadata },
    clientInformation: () => client,
    saveClientInformation: (given: { client_id: string }) => void (client = given),
    tokens: () => tokens,
    saveTokens: (given: Tokens) => void (tokens = given),
    redirectToAuthorization: (url: URL) => void (sentTo = url),
    saveCodeVerifier: (given: string) => void (verifier = given),
    codeVerifier: () => verifier,
  } as unknown as OAuthClientProvider;
  return {
    auth,
    sentTo: () => sentTo ?? new URL('about:blank'),
    tokens: () => tokens ?? { access_token: '' },
    clientId: () => client?.client_id ?? '',
  };
}

/** Connects to a server that asks for sign-in. Resolves when the assistant has sent the person there. */
export async function startConnecting(url: string, assistant: Assistant): Promise<StreamableHTTPClientTransport> {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: assistant.auth });
  try {
    await new Client({ name: 'test', version: '1' }).connect(transport);
  } catch (error) {
    if (error instanceof UnauthorizedError) return transport;
    throw error;
  }
  throw new Error('the server let the assistant in without being asked');
}

/** Follows redirects of the server up to a page, or up to the assistant's address. */
export async function followTo(
  browser: TestBrowser,
  address: string,
): Promise<{ text: string; url: string; status: number }> {
  let url = address;
  for (let hop = 0; hop < 10; hop += 1) {
    if (url.startsWith(callback)) return { text: '', url, status: 303 };
    const shown = await browser.get(url);
    if (shown.location === null) return { text: shown.text, url, status: shown.status };
    url = new URL(shown.location, url).href;
  }
  throw new Error('the server redirects without end');
}

/** Walks a signed-in browser to the page that asks, and answers it. Resolves to where the assistant gets its answer. */
export async function answer(
  browser: TestBrowser,
  address: string,
  fields: Record<string, string | readonly string[]>,
): Promise<URL> {
  const page = await followTo(browser, address);
  const done = await browser.post(new URL(page.url).pathname, fields);
  const place = await followTo(browser, new URL(done.location ?? page.url, page.url).href);
  return new URL(place.url);
}
