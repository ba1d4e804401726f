import { minPasswordLength } from '../../domain/access/sign-in.ts';
import type { LinkRecord } from '../../services/sign-in/sign-in.ts';
import { type DocsMarkup, markup } from '../docs/markup.ts';
import type { Browser, BrowserReader } from './browser.ts';
import { form, problem, readForm, sendPage } from './layout.ts';
import { AppError, httpStatus } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { HttpContext } from '../context.ts';

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
