import type { Hono } from 'hono';
import { AppError } from '../../errors.ts';
import { callOperation } from '../../operations/call.ts';
import type { Operation } from '../../operations/operation.ts';
import { acceptsHtml, type HttpContext, type HttpEnv } from '../context.ts';
import { sendCompressed } from '../rest/send.ts';
import type { MountParts } from '../mount.ts';
import { redirect } from '../sign-in/sign-in-pages.ts';
import { loadRenderer, readAssetNames } from './assets.ts';
import { documentHeaders, documentHtml, choicesOf, type Choices } from './first-document.ts';
import type { Visitor, Visitors } from './visitor.ts';
import { withCookies } from '../sign-in/browser.ts';

/** The part of the page that runs here: `web/server.tsx`. */
interface Renderer {
  /** The calls whose answers the first view of an address shows. */
  firstCalls(address: string): { operation: string; input: object }[];
  render(start: Start): { html: string; title: string; scripts: ('app.js' | 'later.js')[] };
}

/**
 * The data sent with the document: the person, and the answers that the first view shows. The view is drawn from them here, and
 * again in the browser.
 */
export interface Start {
  /** Path and query. */
  address: string;
  formToken: string;
  /** The name of the account. */
  account: string;
  accountId: string;
  /** Whether there is a page of sessions, tokens and connected assistants. */
  hasAccountPage: boolean;
  /** Where assistants sign in; null: they cannot, and take a token. */
  assistantsSignInAt: string | null;
  /** The address of this server. */
  origin: string;
  /** The id of the session that this browser has. */
  session: string;
  version: string;
  choices: Choices;
  answers: { operation: string; input: object; answer?: unknown; problem?: string }[];
}

interface ViewParts {
  visitors: Visitors;
  operations: readonly Operation[];
  /** The answer to somebody who is not signed in. */
  answerStranger: (context: HttpContext) => Promise<Response> | Response;
  /** Whether `/` has another page for somebody who is not signed in. */
  hasFront: boolean;
}

/** The addresses of the page. All show the same document, each with its first view drawn. */
export function addViews(
  app: Hono<HttpEnv>,
  parts: MountParts,
  { visitors, operations, answerStranger, hasFront }: ViewParts,
): void {
  const draw = createDraw(parts, operations);
  // `all`, because a route for GET would make other methods 405 here, and `/` would seem to be part of the API.
  app.all('/', async (context, next) => {
    const { method, headers } = context.req.raw;
    if ((method !== 'GET' && method !== 'HEAD') || !acceptsHtml(headers.get('accept'))) return next();
    const visitor = await visitors.find(context).catch((error: unknown) => {
      // Whoever asks too often is known: signing in would send them straight back.
      if (error instanceof AppError && error.code !== 'rate_limited') return null;
      throw error;
    });
    if (visitor !== null) return draw(context, visitor);
    return hasFront ? next() : answerStranger(context);
  });
  for (const path of ['/app', '/app/*']) {
    app.get(path, async (context, next) => {
      if (!acceptsHtml(context.req.raw.headers.get('accept'))) return next();
      const visitor = await visitors.find(context);
      return visitor === null ? answerStranger(context) : draw(context, visitor);
    });
  }
}

function createDraw(parts: MountParts, operations: readonly Operation[]) {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  let ready: Promise<[Renderer, Awaited<ReturnType<typeof readAssetNames>>]> | undefined;

  return async (context: HttpContext, { browser, person, caller }: Visitor): Promise<Response> => {
    if (person.plan !== 'pro') return redirect(context, browser, '/account');
    ready ??= Promise.all([loadRenderer<Renderer>(), readAssetNames()]);
    ready.catch(() => (ready = undefined));
    const [renderer, names] = await ready;
    const { pathname, search } = new URL(context.req.url);
    const { signal, headers } = context.req.raw;
    const choices = choicesOf(headers.get('cookie') ?? '');
    const answers = await Promise.all(
      renderer.firstCalls(pathname + search).map(async ({ operation, input }) => {
        const found = byName.get(operation);
        if (found === undefined) throw new Error(`the page calls ${operation}, which does not exist`);
        try {
          const answer = await callOperation(found, 'page', input, caller, { ...parts.services, signal });
          return { operation, input, answer };
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          return { operation, input, problem: error.message };
        }
      }),
    );
    const start: Start = {
      address: pathname + search,
      formToken: browser.formToken,
      account: person.accountName,
      accountId: person.accountId,
      hasAccountPage: parts.config.signIn !== 'off',
      assistantsSignInAt: signInAddress(parts.config, browser.origin),
      version: parts.version,
      origin: browser.origin,
      session: person.sessionId,
      choices,
      answers,
    };
    const drawn = renderer.render(start);
    const body = documentHtml({ names, ...drawn, choices, start });
    const answered = { status: 200, body, headers: documentHeaders(choices) };
    return withCookies(await sendCompressed(context, answered), browser);
  };
}

/** Where assistants sign in; null where they cannot. */
function signInAddress({ signIn, authorizationServer }: MountParts['config'], origin: string): string | null {
  if (authorizationServer !== '') return authorizationServer;
  return signIn === 'off' ? null : origin;
}
