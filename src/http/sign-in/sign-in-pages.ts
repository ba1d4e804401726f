import { minPasswordLength } from '../../domain/access/sign-in.ts';
import type { LinkRecord } from '../../services/sign-in/sign-in.ts';
import { type DocsMarkup, markup, commonStyle, policyFor } from '../docs/markup.ts';
import type { Browser, BrowserReader } from './browser.ts';
import { AppError, httpStatus } from '../../errors.ts';
import type { Log } from '../../workers/log.ts';
import { type HttpContext, respond } from '../context.ts';
import { withCookies } from './browser.ts';

const intro = markup`<p>This server keeps what you saved, as a library that your assistants read.</p>`;

/**
 * @param waiting the assistant's request that goes on after signing in, by its id
 * @param to the address of the page to go to after signing in
 */
export function signInPage(
  browser: Browser,
  shown: { waiting?: string | undefined; to?: string | undefined; name?: string; why?: string },
): DocsMarkup {
  const { waiting, to, name = '', why } = shown;
  return markup`<h1>Sign in</h1>
${waiting === undefined ? intro : markup`<p>An assistant asks to use your library. Sign in first; then you are asked what it may do.</p>`}
${problem(why)}
${form(
  browser,
  '/sign-in',
  markup`${waiting === undefined ? '' : markup`<input type="hidden" name="waiting" value="${waiting}">`}${to === undefined ? '' : markup`<input type="hidden" name="to" value="${to}">`}
<label for="name">Name</label><input id="name" name="name" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${name}">
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>`,
)}
<p class="soft">Forgotten, or no account? Whoever runs this server can send you a link. On that machine: <code>commonplace account reset</code> and <code>commonplace account invite</code>.</p>`;
}

const linkTitles: Readonly<Record<LinkRecord['purpose'], string>> = {
  owner: 'Welcome to your server',
  invitation: 'You are invited',
  reset: 'Choose a new password',
  open: 'Sign in',
};

export function linkTitle({ purpose }: LinkRecord): string {
  return linkTitles[purpose];
}

/** The page of a link: choose a name and a password, or sign in at once. */
export function linkPage(
  browser: Browser,
  code: string,
  link: LinkRecord,
  shown: { name?: string; why?: string },
): DocsMarkup {
  const hidden = markup`<input type="hidden" name="code" value="${code}">`;
  const title = markup`<h1>${linkTitle(link)}</h1>`;
  if (link.purpose === 'open') {
    return markup`${title}<p>This signs you in to the library “${link.accountName}” on this machine.</p>
${problem(shown.why)}${form(browser, '/sign-in/link', markup`${hidden}<button>Sign in</button>`)}`;
  }
  const what = {
    owner: 'Nobody can sign in here yet. Choose the name and the password of the owner; this link works once.',
    invitation: `A library of your own waits here for you (“${link.accountName}”). Choose the name and the password with which you sign in.`,
    reset:
      'All your sessions end, and you sign in with the new password from now on. Assistants that you connected stay connected.',
  }[link.purpose];
  if (browser.identity !== null) {
    return markup`${title}<p>You are signed in as “${browser.identity}”. From now on this name opens the library “${link.accountName}”.</p>
${problem(shown.why)}${form(browser, '/sign-in/link', markup`${hidden}<button>Use this library</button>`)}`;
  }
  return markup`${title}<p>${what}</p>
${problem(shown.why)}
${form(
  browser,
  '/sign-in/link',
  markup`${hidden}<label for="name">Name</label><input id="name" name="name" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="100" value="${shown.name ?? link.name ?? ''}">
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="new-password" required minlength="${minPasswordLength}" aria-describedby="rule">
<p class="soft" id="rule">At least ${minPasswordLength} characters. A few words are easier to remember than signs, and as good.</p>
<button>Save and sign in</button>`,
)}`;
}

/** For somebody whom the proxy has signed in, but who has no library here; or whom it has not signed in. */
export function strangerPage(browser: Browser): DocsMarkup {
  if (browser.identity === null) {
    return markup`<h1>Not signed in</h1><p>This server relies on a proxy in front of it to sign people in, and the proxy named nobody. Open the address of the proxy.</p>`;
  }
  return markup`<h1>No library yet</h1><p>You are signed in as “${browser.identity}”, but no library here belongs to this name.</p>
<p>Whoever runs this server can give you one: <code>commonplace account invite</code> makes a link for you.</p>`;
}

export function failurePage(title: string, text: string): DocsMarkup {
  return markup`<h1>${title}</h1>${problem(text)}<p><a href="/">Start</a></p>`;
}

type AnswerBrowser = (context: HttpContext, browser: Browser) => Promise<Response>;

/** Answers with a page, also for refusals: a person reads them. */
export function answerWithPage(browsers: BrowserReader, log: Log, answer: AnswerBrowser) {
  return async (context: HttpContext): Promise<Response> => {
    try {
      return await answer(context, await browsers.read(context));
    } catch (error) {
      if (!(error instanceof AppError)) log.error({ err: error, requestId: context.get('requestId') }, 'a page failed');
      const [status, text] =
        error instanceof AppError ? [httpStatus[error.code], error.message] : [500, 'Something went wrong. Try again.'];
      return sendPage(context, { cookies: [] }, { title: 'Not done', status, body: failurePage('Not done', text) });
    }
  };
}

/** Like `answerWithPage`, for a form that a page of this server sent. */
export function posted(
  browsers: BrowserReader,
  log: Log,
  answer: (context: HttpContext, browser: Browser, form: URLSearchParams) => Promise<Response>,
) {
  return answerWithPage(browsers, log, async (context, browser) => {
    const form = await readForm(context);
    browsers.checkForm(context, browser, form);
    return answer(context, browser, form);
  });
}

const style = `
${commonStyle}
main { max-width: 40rem; margin: 0 auto; padding: 6vh 1.2rem 4rem; }
h2 { margin: 2.4rem 0 .4rem; font-size: 1.15rem; }
p { margin: .5rem 0; }
form { margin: 1rem 0; }
label { display: block; margin: .9rem 0 .2rem; font-weight: 600; }
label.choice { font-weight: 400; display: flex; gap: .6rem; align-items: baseline; margin: .4rem 0; }
input:not([type=checkbox]), select { display: block; width: 100%; max-width: 24rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: .4rem; padding: .55rem .7rem; }
input:focus-visible, select:focus-visible, button:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
button { font: inherit; font-weight: 600; color: var(--paper); background: var(--link); border: 1px solid var(--link); border-radius: .4rem; padding: .55rem 1.1rem; min-height: 44px; margin: 1rem .6rem 0 0; cursor: pointer; }
button.quiet { color: var(--link); background: none; margin: .3rem 0 0; }
fieldset { border: 1px solid var(--line); border-radius: .4rem; margin: 1rem 0 0; padding: .4rem 1rem .8rem; }
legend { font-weight: 600; padding: 0 .3rem; }
.problem { border-left: 4px solid var(--post); background: var(--panel); padding: .6rem .9rem; margin: 1rem 0; }
.list { list-style: none; margin: .6rem 0; padding: 0; }
.list li { border-top: 1px solid var(--line); padding: .7rem 0; }
.list form { margin: 0; }
.asker { border: 1px solid var(--line); border-radius: .4rem; background: var(--panel); margin: 1rem 0; padding: .8rem 1rem; display: grid; gap: .8rem; }
.asker dt { color: var(--soft); font-size: .9rem; }
.asker dd { margin: 0; overflow: hidden; overflow-wrap: anywhere; }
time { white-space: nowrap; }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: 0 0 2rem; }
`.trim();

interface SignInPage {
  title: string;
  body: DocsMarkup;
  status?: number;
  /** The next request of the browser may be redirected to these sources: the place where an assistant waits for its answer. */
  formTargets?: readonly string[];
}

export function pageHtml(page: Pick<SignInPage, 'title' | 'body'>): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} – Commonplace</title>
<link rel="icon" href="data:,">
<style>${{ html: style }}</style>
</head>
<body>
<main>
${page.body}
</main>
</body>
</html>
`.html;
}

/** A page that nothing may store. It loads nothing, runs nothing, and cannot be framed. */
export function pageHeaders(formTargets: readonly string[] = []): Record<string, string> {
  const targets = ["'self'", ...formTargets].join(' ');
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policyFor(style).replace("form-action 'none'", `form-action ${targets}`),
    // With `no-referrer` browsers hide the origin of a form, which is checked.
    'Referrer-Policy': 'same-origin',
  };
}

export function sendPage(context: HttpContext, browser: Pick<Browser, 'cookies'>, page: SignInPage): Response {
  return withCookies(respond(context, page.status ?? 200, pageHtml(page), pageHeaders(page.formTargets)), browser);
}

/** @param path a path of this server */
export function redirect(context: HttpContext, browser: Pick<Browser, 'cookies'>, path: string): Response {
  return withCookies(respond(context, 303, null, { Location: path, 'Cache-Control': 'no-store' }), browser);
}

/** A form of this server, with the field that ties it to the browser. */
export function form(browser: Browser, action: string, content: DocsMarkup): DocsMarkup {
  return markup`<form method="post" action="${action}"><input type="hidden" name="form" value="${browser.formToken}">${content}</form>`;
}

export function problem(text: string | undefined): DocsMarkup {
  return text === undefined ? markup`` : markup`<p class="problem" role="alert">${text}</p>`;
}

/** Maximum bytes of a form. The longest has a name, two passwords and a few choices. */
const maxBytes = 16 * 1024;

/**
 * Reads the fields of a form.
 * @throws {AppError} `unsupported_media_type`, `payload_too_large`
 */
export async function readForm(context: HttpContext): Promise<URLSearchParams> {
  return new URLSearchParams(await readSmallBody(context, 'application/x-www-form-urlencoded'));
}

/**
 * Reads a body of one media type as text. The server's time limit for requests ends a body that never arrives.
 * @throws {AppError} `unsupported_media_type`, `payload_too_large`
 */
export async function readSmallBody(context: HttpContext, mediaType: string): Promise<string> {
  const { raw } = context.req;
  const [type = ''] = (raw.headers.get('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== mediaType)
    throw new AppError('unsupported_media_type', `This takes a body of the type ${mediaType}.`);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (raw.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > maxBytes) throw new AppError('payload_too_large', `This takes at most ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
