import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Provider } from 'oidc-provider';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { lazily } from '../../domain/lazily.ts';
import { type BrowserReader, createBrowserReader } from '../sign-in/browser.ts';
import { pageHeaders, pageHtml, failurePage } from '../sign-in/sign-in-pages.ts';
import type { MountParts } from '../mount.ts';
import { readClientMetadata, redirectHost } from './client-metadata.ts';
import type { MakeLimiter } from '../incoming/limits.ts';
import { HttpRefusal } from '../problem.ts';
import { type HttpContext, standardHeaders } from '../context.ts';

/** Addresses of this server for which a provider is kept. There is one, except on this machine, which has several names. */
const maxProviders = 4;
const documentMs = 5_000;
export const expired = 'This request has expired or was started in another browser. Start again in the assistant.';

/** The parts shared by the routes of assistants and of people. */
export interface ServerParts {
  browsers: BrowserReader;
  limits: AddressLimits;
  /** The account of the person in the browser that sent a request; asked by the provider while it answers. */
  people: WeakMap<IncomingMessage, string>;
  providerOf: (origin: string) => Promise<Provider>;
}

export function createServerParts(parts: MountParts): ServerParts {
  const { config, signIn, addressOf, log, clock, assistants, access, makeLimiter } = parts;
  const browsers = createBrowserReader({ config, signIn, addressOf });
  const limits = createAddressLimits(makeLimiter);
  const people = new WeakMap<IncomingMessage, string>();
  const providers = new Map<string, Promise<Provider>>();
  const cookieSecret = lazily(() => signIn.serverSecret('oauth cookies'));

  const make = async (origin: string): Promise<Provider> => {
    const { createProvider } = await import('./provider.ts');
    const provider = createProvider({
      issuer: origin,
      records: assistants.records,
      clock,
      cookieSecret: await cookieSecret.get(),
      hasAccount: async (id) => (await access.findAccount(id)) !== null,
      accountOf: (request) => people.get(request),
      async isTrusted(request, redirectUri) {
        const account = people.get(request);
        if (account === undefined) return false;
        const place = redirectHost(redirectUri);
        return (await assistants.list(account)).some(({ host }) => host === place);
      },
      fetch: (url) => fetchDocument(parts, url),
      renderError(ctx, { error }) {
        ctx.set(pageHeaders());
        ctx.body = pageHtml({
          title: 'Not possible',
          body: failurePage(
            'Not possible',
            `The assistant sent a request that cannot be answered (${error}). Nothing was sent to it. Start again in the assistant; a request ends after half an hour, too.`,
          ),
        });
      },
    });
    provider.on('server_error', (...[, error]: unknown[]) =>
      log.error({ err: error }, 'the authorization server failed'),
    );
    return provider;
  };
  return {
    browsers,
    limits,
    people,
    providerOf(origin) {
      const known = providers.get(origin);
      if (known !== undefined) return known;
      if (providers.size >= maxProviders) providers.clear();
      const made = make(origin);
      made.catch(() => providers.delete(origin));
      providers.set(origin, made);
      return made;
    },
  };
}

/** Fetches the document that describes an assistant; the library gets only the fields that are used. */
async function fetchDocument({ fetchDocument: fetch, log }: MountParts, url: string): Promise<Response> {
  try {
    const { bytes } = await fetch(url, AbortSignal.timeout(documentMs));
    const { metadata, clientId } = readClientMetadata(Buffer.from(bytes).toString('utf8'));
    return Response.json({ ...metadata, client_id: clientId }, { headers: { 'cache-control': 'max-age=600' } });
  } catch (error) {
    log.info({ err: error }, 'the document of an assistant could not be used');
    return new Response(null, { status: 502 });
  }
}

/** Requests per address and minute, by their kind. All of them come from people who are not signed in. */
const perMinute = { authorize: 60, token: 300, register: 10, document: 20 };

interface AddressLimits {
  /** @throws {HttpRefusal} `rate_limited` */
  count(what: keyof typeof perMinute, address: string): Promise<void>;
}

function createAddressLimits(makeLimiter: MakeLimiter): AddressLimits {
  const limiters = Object.fromEntries(
    Object.entries(perMinute).map(([what, points]) => [
      what,
      makeLimiter({ name: `oauth-${what}`, points, duration: 60 }),
    ]),
  );
  return {
    async count(what, address) {
      try {
        await limiters[what]?.consume(address);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        const seconds = Math.min(60, Math.max(1, Math.ceil(refused.msBeforeNext / 1_000)));
        throw new HttpRefusal('rate_limited', `Too many requests came from this address. Try again in ${seconds} s.`, {
          headers: { 'Retry-After': String(seconds) },
        });
      }
    },
  };
}

/**
 * Taken before Hono's server replaces it, when it first listens: its own class is sent without a look at the header that
 * says that there is nothing to send.
 */
const PlainResponse = globalThis.Response;

/** The request and the response of Node behind a request. */
interface NodeExchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** @throws {Error} when the request came without a socket, as some tests send it */
export function nodeExchange(context: HttpContext): NodeExchange {
  const { incoming, outgoing } = context.env;
  if (incoming === undefined || outgoing === undefined) throw new Error('this needs a connection');
  return { incoming: incoming as IncomingMessage, outgoing: outgoing as ServerResponse };
}

/**
 * A request whose body was read, with a body in its place.
 * @param origin the address under which the browser reaches this server
 */
export function replayed(incoming: IncomingMessage, origin: string, body = ''): IncomingMessage {
  // On a separate socket, because an incompletely read request closes its socket.
  const copy = new IncomingMessage(new Socket());
  const { protocol, host } = new URL(origin);
  copy.method = incoming.method ?? 'GET';
  copy.url = incoming.url ?? '/';
  copy.httpVersion = incoming.httpVersion;
  const { 'transfer-encoding': _encoding, authorization: _authorization, ...headers } = incoming.headers;
  copy.headers = {
    ...headers,
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-host': host,
    'content-length': String(Buffer.byteLength(body)),
  };
  if (body !== '') copy.push(body);
  copy.push(null);
  return copy;
}

/** Sets the headers that every response has, on one that is not sent by Hono. */
export function setStandardHeaders(context: HttpContext, outgoing: ServerResponse): void {
  for (const [name, value] of Object.entries(standardHeaders(context))) outgoing.setHeader(name, value);
}

/** Tells Hono's server that the response was sent already. */
export function alreadySent(context: HttpContext, outgoing: ServerResponse): Response {
  context.set('sealed', true);
  return new PlainResponse(null, { status: outgoing.statusCode, headers: { 'x-hono-already-sent': 'true' } });
}
