import type { IncomingMessage } from 'node:http';
import type { Hono } from 'hono';
import type { Interaction, Provider } from 'oidc-provider';
import { scopes, type Scope } from '../../domain/records/account.ts';
import { oauthLifetimes, recordKey } from '../../domain/records/oauth.ts';
import { AppError, httpStatus } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { respond, type HttpContext, type HttpEnv } from '../context.ts';
import { HttpRefusal } from '../problem.ts';
import { createBrowserReader, type Browser, type BrowserReader } from '../sign-in/browser.ts';
import { readForm, readSmallBody } from '../sign-in/forms.ts';
import { pageHeaders, pageHtml, sendPage } from '../sign-in/layout.ts';
import { answerWithPage } from '../sign-in/mount.ts';
import { failurePage, signInPage, strangerPage } from '../sign-in/sign-in-pages.ts';
import type { Mount, MountParts } from '../server.ts';
import { createAddressLimits, type AddressLimits } from './address-limits.ts';
import { readClientMetadata, redirectHost, redirectSources } from './client-metadata.ts';
import { consentPage } from './consent-page.ts';
import { alreadySent, nodeExchange, replayed, setStandardHeaders } from './replay.ts';

/** Addresses of this server for which a provider is kept. There is one, except on this machine, which has several names. */
const maxProviders = 4;
const documentMs = 5_000;
/** The parameters of an authorization request that are passed on. */
const authorizeParameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'prompt',
];
const expired = 'This request has expired or was started in another browser. Start again in the assistant.';

/** Lets assistants ask a person for access (OAuth 2.1). There where people can sign in. */
export const mountOAuth: Mount = (app, parts) => {
  if (parts.config.signIn === 'off') return;
  const server = createServerParts(parts);
  addMetadata(app, server);
  addAssistantRoutes(app, parts, server);
  addConsentRoutes(app, parts, server);
};

interface ServerParts {
  browsers: BrowserReader;
  limits: AddressLimits;
  /** The account of the person in the browser that sent a request; asked by the provider while it answers. */
  people: WeakMap<IncomingMessage, string>;
  providerOf: (origin: string) => Promise<Provider>;
}

function createServerParts(parts: MountParts): ServerParts {
  const { config, signIn, addressOf, log, clock, assistants, access } = parts;
  const browsers = createBrowserReader({ config, signIn, addressOf });
  const limits = createAddressLimits();
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
      fetch: (url) => fetchDocument(parts, url),
      renderError(ctx, { error }) {
        ctx.set(pageHeaders());
        ctx.body = pageHtml({
          title: 'Not possible',
          body: failurePage(
            'Not possible',
            `The assistant sent a request that cannot be answered (${error}). ${expired}`,
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

/** The metadata of the authorization server (RFC 8414). */
function addMetadata(app: Hono<HttpEnv>, { browsers }: ServerParts): void {
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server/mcp']) {
    app.get(path, (context) => {
      const issuer = browsers.originOf(context);
      const metadata = {
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
        registration_endpoint: `${issuer}/oauth/register`,
        revocation_endpoint: `${issuer}/oauth/revoke`,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        scopes_supported: scopes,
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
        service_documentation: `${issuer}/docs`,
      };
      return respond(context, 200, JSON.stringify(metadata), {
        'Content-Type': 'application/json',
        'Cache-Control': 'no-cache',
      });
    });
  }
}

/** What assistants call themselves: registration, tokens, revocation. No cookie has any effect here. */
function addAssistantRoutes(app: Hono<HttpEnv>, { addressOf }: MountParts, server: ServerParts): void {
  const pass = async (context: HttpContext, body: string): Promise<Response> => {
    const origin = server.browsers.originOf(context);
    const { incoming, outgoing } = nodeExchange(context);
    const request = replayed(incoming, origin, body);
    delete request.headers.cookie;
    setStandardHeaders(context, outgoing);
    await (await server.providerOf(origin)).callback()(request, outgoing);
    return alreadySent(context, outgoing);
  };
  app.post('/oauth/register', (context) =>
    inOAuthWords(context, 'invalid_client_metadata', async () => {
      await server.limits.count('register', addressOf(context));
      const { metadata } = readClientMetadata(await readSmallBody(context, 'application/json'));
      return pass(context, JSON.stringify(metadata));
    }),
  );
  for (const path of ['/oauth/token', '/oauth/revoke']) {
    app.post(path, (context) =>
      inOAuthWords(context, 'invalid_request', async () => {
        await server.limits.count('token', addressOf(context));
        return pass(context, await readSmallBody(context, 'application/x-www-form-urlencoded'));
      }),
    );
  }
}

/** Refusals in the form that OAuth clients expect (RFC 6749, 5.2; RFC 7591, 3.2.2). */
async function inOAuthWords(context: HttpContext, code: string, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isLimit = error.code === 'rate_limited';
    const body = { error: isLimit ? 'temporarily_unavailable' : code, error_description: error.message };
    return respond(context, httpStatus[error.code], JSON.stringify(body), {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      ...(error instanceof HttpRefusal && error.headers),
    });
  }
}

function addConsentRoutes(app: Hono<HttpEnv>, parts: MountParts, server: ServerParts): void {
  const { config, log, assistants, addressOf } = parts;
  const { browsers, people, limits, providerOf } = server;

  /** Lets the provider answer, which may ask who is signed in. */
  const pass = async (context: HttpContext, browser: Browser, change: (request: IncomingMessage) => void) => {
    const { incoming, outgoing } = nodeExchange(context);
    const request = replayed(incoming, browser.origin);
    change(request);
    if (browser.person !== null) people.set(request, browser.person.accountId);
    setStandardHeaders(context, outgoing);
    for (const cookie of browser.cookies) outgoing.appendHeader('Set-Cookie', cookie);
    await (await providerOf(browser.origin)).callback()(request, outgoing);
    return alreadySent(context, outgoing);
  };

  app.get(
    '/oauth/authorize',
    answerWithPage(browsers, log, async (context, browser) => {
      await limits.count('authorize', addressOf(context));
      const clientId = new URL(context.req.url).searchParams.get('client_id') ?? '';
      if (clientId.startsWith('https:')) await limits.count('document', addressOf(context));
      return pass(context, browser, (request) => {
        request.url = `/oauth/authorize?${authorizeQuery(new URL(context.req.url).searchParams)}`;
        // A request begins without a session of the provider: the person's session is the one of this server.
        delete request.headers.cookie;
      });
    }),
  );
  app.get(
    '/oauth/authorize/:uid',
    answerWithPage(browsers, log, (context, browser) => pass(context, browser, () => undefined)),
  );

  /** The request that waits for the person's answer. */
  const waiting = async (context: HttpContext, browser: Browser) => {
    const { incoming, outgoing } = nodeExchange(context);
    const provider = await providerOf(browser.origin);
    const request = replayed(incoming, browser.origin);
    let interaction: Interaction;
    try {
      interaction = await provider.interactionDetails(request, outgoing);
    } catch (error) {
      throw new AppError('not_found', expired, { cause: error });
    }
    if (interaction.uid !== context.req.param('uid')) throw new AppError('not_found', expired);
    const client = await provider.Client.find(interaction.params['client_id'] ?? '');
    if (client === undefined) throw new AppError('not_found', expired);
    const asked = (interaction.params['scope'] ?? '').split(' ');
    const finish = async (result: Record<string, unknown>): Promise<Response> => {
      setStandardHeaders(context, outgoing);
      for (const cookie of browser.cookies) outgoing.appendHeader('Set-Cookie', cookie);
      await provider.interactionFinished(request, outgoing, result, { mergeWithLastSubmission: false });
      return alreadySent(context, outgoing);
    };
    return {
      provider,
      interaction,
      client,
      finish,
      scopes: scopes.filter((scope) => asked.includes(scope)),
      redirectUri: interaction.params['redirect_uri'] ?? '',
      name: client.clientName ?? 'An assistant without a name',
    };
  };
  type Waiting = Awaited<ReturnType<typeof waiting>>;

  const ask = (context: HttpContext, browser: Browser, request: Waiting, why?: string): Response => {
    const { person } = browser;
    const { interaction, client, name, redirectUri } = request;
    if (person === null) throw new AppError('unauthorized', expired);
    const described = URL.parse(client.clientId);
    return sendPage(context, browser, {
      title: 'Let an assistant in',
      status: why === undefined ? 200 : 400,
      formTargets: redirectSources(redirectUri),
      body: consentPage(browser, {
        person,
        uid: interaction.uid,
        name,
        host: redirectHost(redirectUri),
        describedAt: described?.protocol === 'https:' ? described.host : null,
        scopes: request.scopes,
        ...(why !== undefined && { why }),
      }),
    });
  };

  app.get(
    '/oauth/consent/:uid',
    answerWithPage(browsers, log, async (context, browser) => {
      const request = await waiting(context, browser);
      const { person } = browser;
      if (person === null) {
        const body =
          config.signIn === 'proxy' ? strangerPage(browser) : signInPage(browser, { waiting: request.interaction.uid });
        return sendPage(context, browser, { title: 'Sign in', body });
      }
      const { prompt, session } = request.interaction;
      if (session !== undefined && session.accountId !== person.accountId) throw new AppError('not_found', expired);
      if (prompt.name === 'login') return request.finish({ login: { accountId: person.accountId, remember: false } });
      return ask(context, browser, request);
    }),
  );
  app.post(
    '/oauth/consent/:uid',
    answerWithPage(browsers, log, async (context, browser) => {
      const form = await readForm(context);
      browsers.checkForm(context, browser, form);
      const request = await waiting(context, browser);
      const { person } = browser;
      const { interaction } = request;
      if (
        person === null ||
        interaction.prompt.name !== 'consent' ||
        interaction.session?.accountId !== person.accountId
      )
        throw new AppError('not_found', expired);
      if (form.get('decision') !== 'allow') {
        return request.finish({ error: 'access_denied', error_description: 'the person did not allow it' });
      }
      if (person.plan !== 'pro')
        return ask(context, browser, request, 'Access is for Pro accounts, and yours is not one.');
      const allowed = request.scopes.filter((scope) => form.getAll('scope').includes(scope));
      if (allowed.length === 0)
        return ask(context, browser, request, 'Tick at least one thing that is allowed, or do not allow it.');
      return request.finish({ consent: { grantId: await saveGrant(request, person.accountId, allowed) } });
    }),
  );

  async function saveGrant(request: Waiting, accountId: string, allowed: readonly Scope[]): Promise<string> {
    const { provider, interaction, client, name, redirectUri } = request;
    const grant = new provider.Grant({ accountId, clientId: client.clientId });
    const refused = request.scopes.filter((scope) => !allowed.includes(scope));
    grant.addOIDCScope(allowed.join(' '));
    if (refused.length > 0) grant.rejectOIDCScope(refused.join(' '));
    for (const resource of [interaction.params['resource'] ?? []].flat()) {
      grant.addResourceScope(resource, allowed.join(' '));
      if (refused.length > 0) grant.rejectResourceScope(resource, refused.join(' '));
    }
    const id = await grant.save();
    await assistants.records.addGrant({
      id,
      accountId,
      clientKey: recordKey('Client', client.clientId),
      name,
      host: redirectHost(redirectUri),
      scopes: [...allowed],
      expiresAt: parts.clock.now() + oauthLifetimes.Grant * 1_000,
    });
    return id;
  }
}

/** The parameters that are used. Scopes that do not exist are left out; without any, everything is asked for. */
function authorizeQuery(given: URLSearchParams): string {
  const query = new URLSearchParams();
  for (const name of authorizeParameters) for (const value of given.getAll(name)) query.append(name, value);
  const named = (given.get('scope') ?? '').split(' ');
  const known = scopes.filter((scope) => named.includes(scope));
  query.set('scope', (known.length === 0 ? scopes : known).join(' '));
  return query.toString();
}
