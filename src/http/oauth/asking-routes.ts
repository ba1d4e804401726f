import type { IncomingMessage } from 'node:http';
import type { Hono } from 'hono';
import type { Interaction } from 'oidc-provider';
import { type Scope, scopes } from '../../domain/records/account.ts';
import { oauthLifetimes, recordKey } from '../../domain/access/oauth.ts';
import { AppError, notFound } from '../../errors.ts';
import type { HttpContext, HttpEnv } from '../context.ts';
import type { Browser } from '../sign-in/browser.ts';
import {
  answerWithPage,
  signInPage,
  strangerPage,
  form,
  problem,
  readForm,
  sendPage,
} from '../sign-in/sign-in-pages.ts';
import type { MountParts } from '../mount.ts';
import { assistantName, knownResource, redirectHost, redirectSources } from './client-metadata.ts';
import { alreadySent, expired, nodeExchange, replayed, type ServerParts, setStandardHeaders } from './server-parts.ts';
import type { Person } from '../../services/sign-in/sign-in.ts';
import { type DocsMarkup, markup } from '../docs/markup.ts';
import { scopeChoices } from '../sign-in/account-page.ts';

/** The parameters of an authorization request that are passed on. */
const authorizeParameters =
  'client_id redirect_uri response_type state code_challenge code_challenge_method resource prompt'.split(' ');

const knownPrompts = ['none', 'login', 'consent'];

/** Adds the routes to which an assistant sends a person's browser: the request, and the page that asks for a yes. */
export function addAskingRoutes(app: Hono<HttpEnv>, parts: MountParts, server: ServerParts): void {
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
      throw notFound(expired, { cause: error });
    }
    if (interaction.uid !== context.req.param('uid')) throw notFound(expired);
    const client = await provider.Client.find(interaction.params['client_id'] ?? '');
    if (client === undefined) throw notFound(expired);
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
      // Cleaned once more, because registrations may be older than the rules.
      name: assistantName(client.clientName),
    };
  };
  type Waiting = Awaited<ReturnType<typeof waiting>>;

  const ask = (
    context: HttpContext,
    browser: Browser,
    request: Waiting,
    refused?: { why: string; ticked: readonly Scope[] },
  ): Response => {
    const { person } = browser;
    const { interaction, client, name, redirectUri } = request;
    if (person === null) throw new AppError('unauthorized', expired);
    const described = URL.parse(client.clientId);
    return sendPage(context, browser, {
      title: 'Let an assistant in',
      status: refused === undefined ? 200 : 400,
      formTargets: redirectSources(redirectUri),
      body: consentPage(browser, {
        person,
        uid: interaction.uid,
        name,
        host: redirectHost(redirectUri),
        describedAt: described?.protocol === 'https:' ? described.host : null,
        scopes: request.scopes,
        ...refused,
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
      if (session !== undefined && session.accountId !== person.accountId) throw notFound(expired);
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
        throw notFound(expired);
      if (form.get('decision') !== 'allow') {
        return request.finish({ error: 'access_denied', error_description: 'the person did not allow it' });
      }
      const allowed = request.scopes.filter((scope) => form.getAll('scope').includes(scope));
      const askAgain = (why: string) => ask(context, browser, request, { why, ticked: allowed });
      if (person.plan !== 'pro') return askAgain('Access is for Pro accounts, and yours is not one.');
      if (allowed.length === 0) return askAgain('Tick at least one thing that is allowed, or do not allow it.');
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
  for (const name of authorizeParameters)
    for (const value of given.getAll(name)) query.append(name, name === 'resource' ? knownResource(value) : value);
  // A value that the provider does not know would be an error (OpenID Connect Core, 3.1.2.1, leaves it open).
  const [prompt, second] = query.getAll('prompt');
  const known = (prompt ?? '').split(' ').filter((word) => knownPrompts.includes(word));
  if (known.length === 0) query.delete('prompt');
  else if (second === undefined) query.set('prompt', known.join(' '));
  const named = (given.get('scope') ?? '').split(' ');
  const asked = scopes.filter((scope) => named.includes(scope));
  query.set('scope', (asked.length === 0 ? scopes : asked).join(' '));
  return query.toString();
}

interface ConsentRequest {
  person: Person;
  uid: string;
  /** The assistant's name for itself, by `assistantName`. */
  name: string;
  /** The host to which its answers go. */
  host: string;
  /** The host of the document that describes it, when that is how it is known. */
  describedAt: string | null;
  scopes: readonly Scope[];
  /** Those that the person ticked before; all of them at first. */
  ticked?: readonly Scope[];
  why?: string;
}

/** Says who wants to read what, and lets the person allow less. */
export function consentPage(browser: Browser, asked: ConsentRequest): DocsMarkup {
  const { person, name, host, describedAt } = asked;
  return markup`<h1>Let an assistant use your library?</h1>
${problem(asked.why)}
<p>It asks for the library <strong>${person.accountName}</strong>.</p>
<dl class="asker">
<div><dt>It calls itself (not verified)</dt><dd><bdi>${name}</bdi></dd></div>
<div><dt>The answer goes to</dt><dd><strong>${host}</strong></dd></div>
${describedAt === null ? '' : markup`<div><dt>It is described at</dt><dd>${describedAt}</dd></div>`}
</dl>
<p class="soft">Any program can call itself by any name. Go on only if you have just started this yourself, in an assistant that you trust, and the answer goes where you expect it to go.</p>
${form(
  browser,
  `/oauth/consent/${asked.uid}`,
  markup`<fieldset><legend>It may</legend>${scopeChoices(
    scopes.filter((scope) => asked.scopes.includes(scope)),
    asked.ticked,
  )}</fieldset>
<p class="soft">What it reads, it sends to the company that runs it. You can cut it off at any time on the page of your account.</p>
<button name="decision" value="allow">Allow</button><button class="quiet" name="decision" value="refuse" formnovalidate>Do not allow</button>`,
)}`;
}
