import { operations as allOperations } from '../../operations/index.ts';
import { accountOperations } from '../../operations/account.ts';
import { pageOperations } from '../../operations/page.ts';
import { type HttpContext } from '../context.ts';
import { markup } from '../docs/markup.ts';
import type { Mount } from '../mount.ts';
import { browserName, createBrowserReader } from '../sign-in/browser.ts';
import { redirect, sendPage, strangerPage } from '../sign-in/sign-in-pages.ts';
import { addApiRoute } from './api-route.ts';
import { addAssets, addManifest, addWorker } from './assets.ts';
import { addEntrance, createVisitors, pageAccess } from './visitor.ts';
import { addCapture } from './capture.ts';
import { addFiles, addOriginals, addPictures } from './files.ts';
import { addEventRoute, createLibraryWatch } from './event-route.ts';
import { addViews } from './views.ts';

/** The page at `/` and `/app/*`, for signed-in people. It does not exist while sign-in is impossible. */
export const mountPage: Mount = (app, parts) => {
  const access = pageAccess(parts.config);
  if (access === 'none') return;
  const { config, signIn, addressOf, log } = parts;
  const browsers = createBrowserReader({ config, signIn, addressOf });
  const visitors = createVisitors(parts, browsers);
  const operations = [...allOperations, ...pageOperations, ...accountOperations({ ...parts, browserName })];

  const answerStranger = async (context: HttpContext): Promise<Response> => {
    if (access === 'link') return sendPage(context, { cookies: [] }, { title: 'Not open', status: 401, body: notOpen });
    if (config.signIn === 'password') return redirect(context, { cookies: [] }, signInFor(context));
    const browser = await browsers.read(context);
    return sendPage(context, browser, { title: 'Not signed in', status: 403, body: strangerPage(browser) });
  };

  addAssets(app);
  addManifest(app);
  addWorker(app);
  if (access === 'link') addEntrance(app, signIn, log, browsers);
  addOriginals(app, parts, visitors);
  addPictures(app, parts, visitors);
  addFiles(app, parts, visitors);
  const watch = createLibraryWatch(parts.services.library, parts.clock, (error) =>
    log.warn({ err: error }, 'what is being processed could not be looked up for a page'),
  );
  addApiRoute(app, parts, { visitors, operations, watch });
  addCapture(app, parts, { visitors, watch, answerStranger });
  addEventRoute(app, parts, { visitors, watch });
  addViews(app, parts, { visitors, operations, answerStranger, hasFront: config.signIn !== 'password' });
};

/** Signing in leads back to where somebody wanted to go. */
function signInFor(context: HttpContext): string {
  const { pathname, search } = new URL(context.req.url);
  const wanted = pathname + search;
  return wanted === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(wanted)}`;
}

const notOpen = markup`<h1>Your library is not open in this browser</h1>
<p>Only its owner may read it. Run this on this machine, and it opens here:</p>
<pre><code>commonplace open</code></pre>`;
