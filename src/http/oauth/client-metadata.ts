import { cleanLine } from '../../domain/text/clean-text.ts';
import { isLoopbackHost } from '../../domain/links/loopback.ts';
import { AppError } from '../../errors.ts';

const maxRedirects = 10;
const maxRedirectLength = 1_000;
const maxNameLength = 60;
/** Schemes that would run or show something in the browser, instead of leading to a program. */
const refusedSchemes = new Set([
  'javascript:',
  'vbscript:',
  'data:',
  'blob:',
  'file:',
  'about:',
  'view-source:',
  'ws:',
  'wss:',
  'ftp:',
]);

/** What is kept of what an assistant says of itself: where its answers go, and its name. */
export interface ClientMetadata {
  redirect_uris: string[];
  client_name: string;
  application_type: 'web' | 'native';
  token_endpoint_auth_method: 'none';
  grant_types: string[];
  response_types: string[];
}

/**
 * Takes from the metadata of an assistant what is used, and sets the rest: all of them are public clients of the code
 * flow (RFC 7591, 3.2.1 lets a server replace values). Addresses of logos and pages are dropped, because nothing here
 * loads or shows them.
 * @param text JSON, of at most 16 KB
 * @throws {AppError} `invalid_input`
 */
export function readClientMetadata(text: string): { metadata: ClientMetadata; clientId: unknown } {
  let given: Record<string, unknown>;
  try {
    given = JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new AppError('invalid_input', 'The metadata of a client is a JSON object.', { cause: error });
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new AppError('invalid_input', 'The metadata of a client is a JSON object.');
  const uris = Array.isArray(given['redirect_uris']) ? (given['redirect_uris'] as unknown[]) : [];
  if (uris.length === 0 || uris.length > maxRedirects)
    throw new AppError('invalid_input', `redirect_uris has 1 to ${maxRedirects} addresses.`);
  const checked = uris.map(checkRedirect);
  const isNative = checked.some((url) => url.protocol !== 'https:');
  return {
    clientId: given['client_id'],
    metadata: {
      redirect_uris: uris as string[],
      client_name: shownName(given['client_name']),
      application_type: isNative ? 'native' : 'web',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  };
}

function shownName(name: unknown): string {
  const line = typeof name === 'string' ? cleanLine(name.slice(0, 4 * maxNameLength)) : '';
  const shown = [...line].slice(0, maxNameLength).join('');
  return shown === '' ? 'An assistant without a name' : shown;
}

function checkRedirect(uri: unknown): URL {
  const url = typeof uri === 'string' && uri.length <= maxRedirectLength ? URL.parse(uri) : null;
  const isAllowed =
    url !== null &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '' &&
    !refusedSchemes.has(url.protocol) &&
    (url.protocol !== 'http:' || isLoopbackHost(url.hostname));
  if (!isAllowed) {
    throw new AppError(
      'invalid_input',
      'redirect_uris are https addresses, http addresses of the own machine, or addresses of an app, without a fragment, a user name or a password.',
    );
  }
  return url;
}

/** Where the answers for a redirect address go, in words for the person who is asked. */
export function redirectHost(redirectUri: string): string {
  const url = URL.parse(redirectUri);
  if (url === null) return 'an unknown place';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `the app that opens ${url.protocol} links`;
  return isLoopbackHost(url.hostname) ? 'a program on your own machine' : url.host;
}

/**
 * Sources for the content security policy of a page whose form is answered with a redirect to this address. Browsers
 * check each redirect, and the place that it leads to may redirect once more.
 */
export function redirectSources(redirectUri: string): string[] {
  const protocol = URL.parse(redirectUri)?.protocol ?? '';
  if (protocol === 'https:') return ['https:'];
  if (protocol === 'http:') return ['http://127.0.0.1:*', 'http://localhost:*', 'https:'];
  return /^[a-z][a-z0-9+.-]*:$/.test(protocol) ? [protocol] : [];
}
