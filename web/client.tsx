import { hydrate, render } from 'preact';
import { Store } from './data/answers.ts';
import { createCall } from './data/calls.ts';
import { KeptAnswers, keepPage, shellPath } from './kept/offline.ts';
import { addressOf } from './address.tsx';
import { isLoaded, loadLater, Page } from './page.tsx';
import { viewOf } from './views.ts';
import type { Start } from './data/records.ts';

const start = JSON.parse(document.getElementById('start')?.textContent ?? '{}') as Start;
const root = document.getElementById('page');

/** Null where the person has switched it off. */
function shelf(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

// Browsers have both on https and on the machine itself.
const isKept = 'caches' in globalThis && 'serviceWorker' in navigator;
/** The server is away, and the service worker gave the page without content. */
const isShell = start.address === shellPath;
if (isShell) Object.assign(start, { address: location.pathname + location.search, answers: [] });
const store = new Store(start, createCall(start), shelf(), isKept ? new KeptAnswers(start.accountId) : undefined);

function draw(): void {
  if (root === null) return;
  if (isShell) root.textContent = '';
  (isShell ? render : hydrate)(<Page store={store} />, root);
}

const isFirst = isLoaded(viewOf(addressOf(start.address)));
if (isFirst) draw();
const loaded = loadLater();
if (!isFirst) void loaded.then(draw, draw);
// Where it fails, the page works as before, while the server is there.
if (isKept && !isShell)
  void loaded
    .then((later) => [new URL(later).pathname])
    .catch(() => [])
    .then((later) => keepPage(start.accountId, later))
    .catch(() => undefined);
