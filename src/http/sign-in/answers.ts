import { AppError, httpStatus } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { HttpContext } from '../context.ts';
import type { Browser, BrowserReader } from './browser.ts';
import { readForm } from './forms.ts';
import { sendPage } from './layout.ts';
import { failurePage } from './sign-in-pages.ts';

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
