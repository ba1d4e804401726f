import type { Hono } from 'hono';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { SignInService } from '../../services/sign-in/sign-in.ts';
import type { HttpEnv } from '../context.ts';
import { markup } from '../docs/markup.ts';
import type { BrowserReader } from '../sign-in/browser.ts';
import { form, redirect, sendPage } from '../sign-in/layout.ts';
import { answerWithPage, posted } from '../sign-in/answers.ts';

/**
 * How a person comes in on their own machine, where nobody signs in: `commonplace open` makes a link that works once and opens it, and
 * a press on the page that it shows begins a session. Without the press, another web page could use a link of its own maker.
 */
export function addEntrance(app: Hono<HttpEnv>, signIn: SignInService, log: Log, browsers: BrowserReader): void {
  app.get(
    '/app/enter',
    answerWithPage(browsers, log, async (context, browser) => {
      const code = new URL(context.req.url).searchParams.get('code') ?? '';
      const link = await requireOpenLink(signIn, code);
      const body = markup`<h1>Your library</h1><p>This opens the library “${link.accountName}” in this browser.</p>
${form(browser, '/app/enter', markup`<input type="hidden" name="code" value="${code}"><button autofocus>Open it</button>`)}`;
      return sendPage(context, browser, { title: 'Your library', body });
    }),
  );
  app.post(
    '/app/enter',
    posted(browsers, log, async (context, browser, fields) => {
      const code = fields.get('code') ?? '';
      await requireOpenLink(signIn, code);
      const { secret } = await signIn.useLink(code, null, browsers.visitOf(context));
      if (browser.person !== null) await signIn.endSession(browser.person.accountId, browser.person.sessionId);
      return redirect(context, { cookies: [browsers.sessionCookie(browser, secret)] }, '/');
    }),
  );
}

/** Links of other purposes set passwords, and are for servers on which people sign in. */
async function requireOpenLink(signIn: SignInService, code: string) {
  const link = await signIn.findLink(code);
  if (link.purpose !== 'open') throw new AppError('not_found', 'This link is for a server on which people sign in.');
  return link;
}
