import { hydrate } from 'preact';
import { Store } from './answers.ts';
import { createCall } from './calls.ts';
import { Page } from './page.tsx';
import type { Start } from './start.ts';

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

if (root !== null) hydrate(<Page store={new Store(start, createCall(start), shelf())} />, root);
