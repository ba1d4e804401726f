import { keptCache, sharedCache, sharePath, shellPath } from './offline.ts';

/*
 * The service worker: shows the page while the server is away, and keeps what is shared with it then. It asks the server first, and
 * stands between the page and its calls in no case: the page itself keeps answers and writes (`offline.ts`, `outbox.ts`).
 */

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetched extends Extendable {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
const scope = globalThis as typeof globalThis & {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
};

/** A network that does not answer, as in a tunnel, is as good as none. */
const maxWaitMs = 6_000;

/** Addresses of the page itself; others under `/app` are files and documents of their own. */
const viewPath = /^\/app(?:$|\/(?!api|assets|files|original|capture|share|enter))/;
const signPath = /^\/(?:sign-in|sign-out|app\/enter)(?:\/|$)/;

addEventListener('install', (event) => (event as Extendable).waitUntil(scope.skipWaiting()));
addEventListener('activate', (event) => (event as Extendable).waitUntil(scope.clients.claim()));
addEventListener('fetch', (event) => {
  const fetched = event as Fetched;
  const { request } = fetched;
  const { origin, pathname } = new URL(request.url);
  const isView = pathname === '/' || viewPath.test(pathname);
  if (origin !== location.origin) return;
  if (pathname.startsWith('/app/assets/')) fetched.respondWith(fromKept(request));
  else if (request.mode !== 'navigate') return;
  else if (pathname === sharePath && request.method === 'POST') fetched.respondWith(share(request));
  else if (signPath.test(pathname)) fetched.waitUntil(forget(pathname === '/sign-out'));
  else if (isView && request.method === 'GET') fetched.respondWith(view(request));
});

async function fromKept(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

async function view(request: Request): Promise<Response> {
  // Its answer varies with headers that other requests have not.
  const shell = await caches.match(shellPath, { ignoreVary: true });
  try {
    const answer = fetch(request);
    if (shell === undefined) return await answer;
    // A proxy in front of the server says that it is away.
    const there = answer.then((one) => (one.status >= 502 && one.status <= 504 ? shell : one));
    const late = new Promise<Response>((resolve) => setTimeout(() => resolve(shell), maxWaitMs));
    return await Promise.race([there, late]);
  } catch (error) {
    if (shell === undefined) throw error;
    return shell;
  }
}

async function share(request: Request): Promise<Response> {
  const form = await request.formData();
  const headers = { accept: 'text/html' };
  try {
    // The answer leads on to the page, and the browser follows it there.
    return await fetch(sharePath, { method: 'POST', headers, body: form, redirect: 'manual' });
  } catch {
    const cache = await caches.open(sharedCache);
    await cache.put(`${sharePath}/${Date.now()}-${crypto.randomUUID()}`, new Response(form));
    return Response.redirect('/app/save?shared=0', 303);
  }
}

/** What another person kept is not shown to the next one. */
async function forget(isAll: boolean): Promise<void> {
  await caches.delete(keptCache);
  if (isAll) await caches.delete(sharedCache);
}
