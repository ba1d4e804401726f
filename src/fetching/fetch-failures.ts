import { networkInterfaces } from 'node:os';
import { ProxyError } from '../domain/links/proxies.ts';
import { isMachineLimit } from '../domain/machine-limits.ts';
import { codeOf, machineLimit, ProcessingError } from '../errors.ts';
import { AddressRefusedError } from './address-guard.ts';
import { PaddedAnswerError } from './wire.ts';

/** The machine itself has no network. This says nothing about the page, so it is tried again until the network is back. */
function offline(cause: unknown): ProcessingError {
  return new ProcessingError(
    'offline',
    'This machine has no connection to the internet now, or cannot look up names. Nothing is wrong with the address: it is read when the network is back.',
    { cause, retryable: true },
  );
}

export function isConnected(): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ internal, address }) => !internal && !/^(?:fe80:|169\.254\.)/i.test(address)),
  );
}

export function refusedAddress(cause?: unknown): ProcessingError {
  return new ProcessingError(
    'address_refused',
    'The address leads to a private network or to this computer, which is not read by default. ' +
      'To save pages of your own network, set allowPrivateAddresses (--allow-private-addresses true).',
    { cause },
  );
}

export function timedOut(timeoutMs: number): ProcessingError {
  return new ProcessingError(
    'timeout',
    `The site did not deliver the page within ${Math.round(timeoutMs / 1000)} seconds. ` +
      'If it stays slow, save the page to a file and save that.',
    { retryable: true },
  );
}

export function tooLarge(maxBytes: number): ProcessingError {
  const limit = maxBytes >= 2 ** 20 ? `${Math.round(maxBytes / 2 ** 20)} MB` : `${Math.round(maxBytes / 1024)} kB`;
  return new ProcessingError(
    'too_large',
    `The content at this address is larger than ${limit}, the limit for one item. ` +
      'Save the part that you need, or raise the limit in the settings.',
  );
}

export function statusFailure(status: number, retryAfterMs: number | undefined): ProcessingError {
  if (status === 404 || status === 410)
    return new ProcessingError(
      'not_found',
      `The site says that there is no page at this address (HTTP ${status}). Check the address, or look for where the page has moved.`,
      { status },
    );
  if ([401, 402, 403, 407, 451].includes(status))
    return new ProcessingError(
      'forbidden',
      `The site refuses this page to Commonplace (HTTP ${status}): pages behind a login, a payment or a check for ` +
        'robots cannot be fetched. Open it in your browser, save it as a file, and save that file from the command line.',
    );
  if (status === 429)
    return new ProcessingError(
      'rate_limited',
      'The site asks for fewer requests (HTTP 429). Nothing is wrong with the address; it can be read later.',
      { retryable: true, retryAfterMs },
    );
  if (status >= 500)
    return new ProcessingError(
      'server_error',
      `The site has a problem of its own (HTTP ${status}). If it lasts, save the address again another day.`,
      { retryable: true, retryAfterMs },
    );
  const retryable = status === 408 || status === 425;
  return new ProcessingError(
    'http_error',
    `The site answered with HTTP ${status} and no page. Open the address in your browser to see whether it works there.`,
    { retryable, retryAfterMs },
  );
}

/** Retry-After (RFC 9110, 10.2.3) in milliseconds from now; undefined when it is missing or invalid. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Za-z]{3}/.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** No route, or no answer of the machine's name servers. */
const offlineCodes = new Set(['EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN']);
/** Without an own network address, these mean the same. */
const unreachedCodes = new Set(['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'EHOSTUNREACH', 'EADDRNOTAVAIL']);
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'EADDRNOTAVAIL',
  'EHOSTDOWN',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);
const timeoutCodes = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const tlsCode = /^(?:ERR_TLS|ERR_SSL|CERT_|EPROTO$|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Maps errors below HTTP (DNS, TLS, connection) to error codes. Unknown ones become `internal` and keep their cause. */
export function networkFailure(error: unknown, timeoutMs: number, connected: () => boolean): ProcessingError {
  if (error instanceof ProcessingError) return error;
  const cause = innermost(error);
  const code = codeOf(cause);
  if (cause instanceof AddressRefusedError) return refusedAddress(error);
  if (cause instanceof ProxyError) return proxyFailure(cause);
  if (cause instanceof PaddedAnswerError) return paddedAnswer(error);
  if (isMachineLimit(cause)) return machineLimit(error);
  if (timeoutCodes.has(code)) return timedOut(timeoutMs);
  if (isOffline(cause, error, connected)) return offline(error);
  const failed = (code: keyof typeof networkFailures, retryable = false): ProcessingError =>
    new ProcessingError(code, networkFailures[code], { cause: error, retryable });
  if (code === 'ENOTFOUND' || code === 'ENODATA' || code === 'ESERVFAIL')
    return failed('dns_failed', code === 'ESERVFAIL');
  if (tlsCode.test(code)) return failed('tls_failed');
  if (connectionCodes.has(code)) return failed('connection_failed', true);
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW')
    return oddAnswer('more header data than any page needs, so it was not read', error);
  if (isNotHttp(cause, code)) return failed('http_error');
  return /^(?:HPE_|Z_|ERR__|ZSTD_)/.test(code) ? brokenAnswer(error) : failed('internal', true);
}

const networkFailures = {
  dns_failed:
    'There is no site of this name, or it could not be looked up. Check the spelling of the address and your connection, then retry.',
  tls_failed:
    "The site's certificate or encryption is not valid, so what it sends cannot be trusted. Check the address; if your browser warns as well, only the owner of the site can mend it.",
  connection_failed:
    'The site could not be reached, or the connection broke. If this goes on, check the address and your connection.',
  http_error: 'The server at this address is not a web server: it does not speak HTTP. Check the address and its port.',
  internal:
    'The page could not be fetched, for an unknown reason. Try again; if it fails again, look for the details in the log.',
};

/** A proxy that fails says nothing about the page; one that refuses may do so for this page alone. */
function proxyFailure(error: ProxyError): ProcessingError {
  const isUnknownName = error.trouble === 'unresolved' && !offlineCodes.has(codeOf(error.cause));
  const code = isUnknownName ? 'dns_failed' : error.trouble === 'refused' ? 'connection_failed' : 'offline';
  return new ProcessingError(code, error.message, { cause: error, retryable: !isUnknownName });
}

/** True if the answer's first line is not one of HTTP. The HTTP client gives the parser's code, or only its message. */
function isNotHttp(cause: unknown, code: string): boolean {
  if (code === 'HPE_INVALID_CONSTANT' || code === 'HPE_INVALID_VERSION') return true;
  return cause instanceof Error && cause.name === 'HTTPParserError' && /does not match the HTTP/.test(cause.message);
}

function oddAnswer(what: string, cause: unknown): ProcessingError {
  const message = `The site sent ${what}. Open the address in your browser to see whether it works there.`;
  return new ProcessingError('http_error', message, { cause });
}

export const brokenAnswer = (cause?: unknown): ProcessingError =>
  oddAnswer('an answer that cannot be read: it is broken or not encoded as it says', cause);

export const paddedAnswer = (cause?: unknown): ProcessingError =>
  oddAnswer('far more data around the page than the page itself, so it was not read', cause);

/** A site with addresses of two kinds is tried at both: that this machine has no route to one of them says nothing. */
function isOffline(cause: unknown, error: unknown, connected: () => boolean): boolean {
  const codes = attemptsOf(error)?.map(codeOf) ?? [codeOf(cause)];
  if (codes.every((code) => offlineCodes.has(code))) return true;
  return codes.every((code) => offlineCodes.has(code) || unreachedCodes.has(code)) && !connected();
}

function attemptsOf(error: unknown): unknown[] | undefined {
  const tried = error instanceof AggregateError ? error : error instanceof Error ? error.cause : undefined;
  return tried instanceof AggregateError && tried.errors.length > 0 ? (tried.errors as unknown[]) : undefined;
}

/** A connection attempt to several addresses fails with an error for each. The first one is enough. */
function innermost(error: unknown): unknown {
  let inner = error;
  for (let depth = 0; depth < 5; depth += 1) {
    if (inner instanceof AggregateError && inner.errors.length > 0) inner = inner.errors[0];
    else if (codeOf(inner) === '' && inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
    else break;
  }
  return inner;
}
