import { cleanLine } from '../../domain/text/clean-text.ts';
import { madeWhenUsed } from '../../domain/lazily.ts';
import { shortened } from '../../domain/text/shortened.ts';
import { isLoopbackHost } from '../../domain/links/configured-addresses.ts';
import { invalidInput } from '../../errors.ts';

const maxRedirects = 10;
const maxRedirectLength = 1_000;
const maxNameLength = 40;
/**
 * URL schemes of assistants that receive their answers in an app. Other apps need a reversed domain name that they own, with a dot
 * (`com.example.app:`, RFC 8252, 7.1): schemes without one open programs of the operating system, such as `ms-msdt:` and
 * `search-ms:`.
 */
const appSchemes: ReadonlySet<string> = new Set(
  (
    'antigravity claude cursor goose kiro lmstudio positron raycast trae vscode vscode-insiders vscodium ' +
    'warp windsurf windsurf-next zed'
  )
    .split(' ')
    .map((name) => `${name}:`),
);

/** The part of an assistant's own description that is kept: the addresses of its answers, and its name. */
interface ClientMetadata {
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
    throw invalidInput('The metadata of a client is a JSON object.', { cause: error });
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidInput('The metadata of a client is a JSON object.');
  const uris = Array.isArray(given['redirect_uris']) ? (given['redirect_uris'] as unknown[]) : [];
  if (uris.length === 0 || uris.length > maxRedirects)
    throw invalidInput(`redirect_uris has 1 to ${maxRedirects} addresses.`);
  const checked = uris.map(checkRedirect);
  const isNative = checked.some((url) => url.protocol !== 'https:');
  return {
    clientId: given['client_id'],
    metadata: {
      redirect_uris: uris as string[],
      client_name: assistantName(given['client_name']),
      application_type: isNative ? 'native' : 'web',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  };
}

const nameless = 'An assistant without a name';
/**
 * Everything but letters, digits and a few signs of names: quotation marks and arrows would let a name go on with a
 * sentence of the page. Modifier letters look like quotation marks, but in the scripts that write words with them.
 */
const unfitForNames = madeWhenUsed(
  () =>
    /[^\p{L}\p{M}\p{N} .,+\x26_\(\)#\-]|[\p{Lm}--[\p{scx=Hira}\p{scx=Kana}\p{scx=Hani}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}]]|[\u1420\u1421\u1427\u144a\u16cc\ua78b\ua78c\u{16f51}\u{16f52}]/gv,
);
/** Combining marks without a letter, and those beyond the third on one, which would reach into other lines. */
const looseMarks = madeWhenUsed(() => /(?<![\p{L}\p{M}])\p{M}+|(?<=\p{M}{3})\p{M}/gu);

/** The assistant's name for itself, as people are shown it. Anybody can choose any name. */
export function assistantName(given: unknown): string {
  const line = typeof given === 'string' ? cleanLine(given.slice(0, 8 * maxNameLength).normalize('NFKC')) : '';
  const kept = line.replaceAll(unfitForNames(), '').replaceAll(looseMarks(), '').replaceAll(/\s+/g, ' ').trim();
  return /[\p{L}\p{N}]/u.test(kept) ? shortened(kept, maxNameLength) : nameless;
}

function checkRedirect(uri: unknown): URL {
  const url = typeof uri === 'string' && uri.length <= maxRedirectLength ? URL.parse(uri) : null;
  const isAllowed =
    url !== null &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '' &&
    (url.protocol === 'https:' ||
      (url.protocol === 'http:' && isLoopbackHost(url.hostname)) ||
      url.protocol.includes('.') ||
      appSchemes.has(url.protocol));
  if (!isAllowed) {
    throw invalidInput(
      'redirect_uris are https addresses, http addresses of the own machine, or addresses of an app by a scheme like com.example.app:, without a fragment, a user name or a password.',
    );
  }
  return url;
}

/** Names the place to which the answers for a redirect address go, for the person who is asked. */
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

/** Clients that were given `/mcp/` as the address name it so here: it is the same resource. */
export function knownResource(named: string): string {
  return named.endsWith('/mcp/') ? named.slice(0, -1) : named;
}
