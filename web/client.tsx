import { hydrate, render } from 'preact';
import { Store } from './data/answers.ts';
import { createCall } from './data/calls.ts';
import { KeptAnswers, keepPage, shellPath } from './kept/offline.ts';
import { Page } from './page.tsx';
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

if (root !== null) {
  if (isShell) root.textContent = '';
  (isShell ? render : hydrate)(<Page store={store} />, root);
}
// Where it fails, the page works as before, while the server is there.
if (isKept && !isShell) void keepPage(start.accountId).catch(() => undefined);
