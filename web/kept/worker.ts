import { keptCache, maxShares, ownerPath, sharedCache, sharePath, shellPath } from './offline.ts';

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

addEventListener('install', (event) => (event as Extendable).waitUntil(scope.skipWaiting()));
addEventListener('activate', (event) => (event as Extendable).waitUntil(scope.clients.claim()));
addEventListener('fetch', (event) => {
  const fetched = event as Fetched;
  const { request } = fetched;
  const { origin, pathname, search } = new URL(request.url);
  const isView = pathname === '/' || viewPath.test(pathname);
  if (origin !== location.origin) return;
  if (pathname.startsWith('/app/assets/')) fetched.respondWith(fromKept(request));
  else if (request.mode !== 'navigate') return;
  else if (pathname === sharePath && request.method === 'POST' && search === '') fetched.respondWith(share(request));
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

/**
 * Any site can send this form, and a request of the worker would look like one of the page. So the browser itself sends it again, and
 * the server sees where it comes from. What is kept is sent by the page, after a press.
 */
async function share(request: Request): Promise<Response> {
  const direct = Response.redirect(`${sharePath}?direct=1`, 307);
  const asked = { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(maxWaitMs) };
  const isTaken = await fetch(sharePath, { ...asked, redirect: 'manual' }).then(
    ({ status }) => status === 204,
    () => false,
  );
  const account = await (await caches.match(ownerPath, { cacheName: keptCache }))?.text();
  const kept = await caches.open(sharedCache);
  if (isTaken || account === undefined || (await kept.keys()).length >= maxShares) return direct;
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  const address = `${sharePath}/${account}/${Date.now()}-${crypto.randomUUID()}`;
  await kept.put(address, new Response(await request.blob(), { headers }));
  return Response.redirect('/app/save?shared=0', 303);
}
