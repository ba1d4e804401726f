import type { IncomingMessage } from 'node:http';
import type { Provider } from 'oidc-provider';
import { lazily } from '../../domain/lazily.ts';
import { createBrowserReader, type BrowserReader } from '../sign-in/browser.ts';
import { pageHeaders, pageHtml } from '../sign-in/layout.ts';
import { failurePage } from '../sign-in/sign-in-pages.ts';
import type { MountParts } from '../mount.ts';
import { createAddressLimits, type AddressLimits } from './address-limits.ts';
import { readClientMetadata, redirectHost } from './client-metadata.ts';

/** Addresses of this server for which a provider is kept. There is one, except on this machine, which has several names. */
const maxProviders = 4;
const documentMs = 5_000;
export const expired = 'This request has expired or was started in another browser. Start again in the assistant.';

/** What the routes of assistants and those of people share. */
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

/** Fetches the document that describes an assistant; only what is used of it reaches the library. */
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
