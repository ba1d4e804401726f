import { commonStyle, type DocsMarkup, markup, policyFor } from '../docs/markup.ts';
import { type HttpContext, respond } from '../context.ts';
import type { Browser } from './browser.ts';
import { AppError } from '../../errors.ts';

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

export function withCookies(response: Response, { cookies }: Pick<Browser, 'cookies'>): Response {
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
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
