import type { Hono } from 'hono';
import { maskStrings } from '../../domain/text/clean-text.ts';
import { AppError, httpStatus, invalidInput } from '../../errors.ts';
import type { TokenCaller } from '../../services/access.ts';
import { acceptsHtml, type HttpContext, type HttpEnv, respond } from '../context.ts';
import { markup } from '../docs/markup.ts';
import type { MountParts } from '../mount.ts';
import { receiveForm, type ReadForm, saveForm } from '../rest/capture.ts';
import type { Browser } from '../sign-in/browser.ts';
import { redirect, sendPage, failurePage } from '../sign-in/sign-in-pages.ts';
import { assetsPath, readAssetNames } from './assets.ts';
import { choicesOf, documentHeaders } from './first-document.ts';
import type { LibraryWatch } from './event-route.ts';
import { answerJson, requirePro, signedOut, type Visitors } from './visitor.ts';
import { withCookies } from '../sign-in/browser.ts';

interface CaptureParts {
  visitors: Visitors;
  watch: LibraryWatch;
  /** The answer to somebody who is not signed in. */
  answerStranger: (context: HttpContext) => Promise<Response> | Response;
}

/** A phone may share as many files at once. */
const maxShared = 20;

/** Forms for saving: dropped files, a bookmarklet's page, and content shared from a phone. */
export function addCapture(
  app: Hono<HttpEnv>,
  parts: MountParts,
  { visitors, watch, answerStranger }: CaptureParts,
): void {
  const save = async (context: HttpContext, caller: TokenCaller, form: ReadForm) => {
    const { saved, refused } = await saveForm(context, parts, { caller, face: 'page', form });
    for (const { id } of saved) watch.add(caller.accountId, id);
    const told = saved.map(({ id, title, url, status, outcome, undo }) => ({ id, title, url, status, outcome, undo }));
    return { saved: maskStrings(told), ...(refused !== null && { detail: refused.message }) };
  };

  app.post('/app/capture', async (context) => {
    const { browser, caller } = await visitors.requirePage(context);
    const { saved } = await receiveForm(context, parts, caller, 1, (form) => save(context, caller, form));
    return answerJson(context, 200, saved[0], browser);
  });

  app.get('/app/capture', async (context) => {
    const visitor = await visitors.find(context);
    return visitor === null ? answerStranger(context) : sendWindow(context, visitor.browser);
  });

  app.get('/app/share', async (context) => {
    // A person who signed in on the way comes back here.
    if (acceptsHtml(context.req.raw.headers.get('accept'))) return redirect(context, { cookies: [] }, '/app/save');
    // The service worker asks whether what is shared would be taken.
    if ((await visitors.find(context)) === null) throw signedOut();
    return respond(context, 204, null, { 'Cache-Control': 'no-store' });
  });
  app.post('/app/share', async (context) => {
    const isPage = acceptsHtml(context.req.raw.headers.get('accept'));
    const visitor = await visitors.find(context);
    if (visitor === null) {
      if (isPage) return answerStranger(context);
      throw signedOut();
    }
    const { browser, caller, person } = visitor;
    try {
      checkShare(context, browser);
      requirePro(person);
      const done = await receiveForm(context, parts, caller, maxShared, (form) => save(context, caller, shared(form)));
      if (!isPage) return answerJson(context, 200, done, browser);
      const { saved, detail } = done;
      const told = new URLSearchParams({ shared: String(saved.length), undo: saved[0]?.undo ?? '' });
      if (detail !== undefined) told.set('refused', '1');
      return redirect(context, browser, `/app/save?${told}`);
    } catch (error) {
      if (!(error instanceof AppError) || !isPage) throw error;
      const body = failurePage('Not saved', error.message);
      return sendPage(context, browser, { title: 'Not saved', status: httpStatus[error.code], body });
    }
  });
}

/**
 * Content shared from a phone comes from no page, so it has no token. The browser marks it with a header that no page can set;
 * another site's form is `cross-site` there.
 * @throws {AppError} `invalid_input`
 */
function checkShare(context: HttpContext, { origin }: Browser): void {
  const { headers } = context.req.raw;
  const [from, site] = [headers.get('origin'), headers.get('sec-fetch-site')];
  const isOwn = from === origin && (site === null || site === 'same-origin' || site === 'none');
  const isOfBrowser = (from === null || from === 'null') && site === 'none';
  if (!isOwn && !isOfBrowser) throw invalidInput('This was sent by another site. Nothing was saved.');
}

/** Longer texts with an address in them are notes. */
const maxAround = 10_000;

/** Programs put the address of a page into the text, with words around it. */
function shared({ about, contents }: ReadForm): ReadForm {
  const texts = contents.filter(({ field, bytes }) => field === 'text' && bytes.length < maxAround);
  const files = contents.filter(({ field }) => field === 'file');
  const words = texts.map(({ bytes }) => String(JSON.parse(new TextDecoder().decode(bytes)))).join('\n');
  const link = words.split(/\s+/).find((word) => /^https?:\/\//i.test(word) && URL.canParse(word));
  if (files.length === 0 && about.url === undefined && link === undefined) return { about, contents };
  const rest = words.replace(about.url ?? link ?? '', '').trim();
  const notes = rest === '' || rest === about.title ? about.notes : rest;
  return files.length > 0
    ? { about: { ...about, url: undefined, notes }, contents: files }
    : { about: { ...about, url: about.url ?? link, notes }, contents: [] };
}

/** The small window that a bookmarklet opens. Its opener is a page of another site, so it is asked before anything is saved. */
async function sendWindow(context: HttpContext, browser: Browser): Promise<Response> {
  const names = await readAssetNames();
  const choices = choicesOf(context.req.raw.headers.get('cookie') ?? '');
  const body = markup`<!doctype html>
<html lang="en" data-theme="${choices.theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Save – Commonplace</title>
<link rel="icon" href="${assetsPath}/${names['mark.svg']}" type="image/svg+xml">
<link rel="stylesheet" href="${assetsPath}/${names['app.css']}">
<script type="module" src="${assetsPath}/${names['capture.js']}"></script>
</head>
<body>
<main class="capture" data-token="${browser.formToken}">
<h1>Save</h1>
<p id="what" role="status">Waiting for the page…</p>
<form class="save-form">
<label class="field"><span>Tags, with commas between them</span><input type="text" name="tags" autocomplete="off" maxlength="1000"></label>
<label class="field"><span>Your own words about it</span><textarea name="notes" rows="2" maxlength="4000"></textarea></label>
<p class="buttons"><button class="button" disabled>Save</button></p>
</form>
<p id="done" role="status"></p>
<p class="buttons" id="then" hidden><button class="button" type="button" id="close">Close</button> <button class="button quiet" type="button" id="undo">Undo</button> <a target="_blank">Open it</a></p>
</main>
</body>
</html>
`.html;
  // With the usual policy the window would not know who opened it.
  const headers = { ...documentHeaders(choices), 'Cross-Origin-Opener-Policy': 'unsafe-none' };
  return withCookies(respond(context, 200, body, headers), browser);
}
