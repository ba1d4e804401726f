import { renderToString } from 'preact-render-to-string';
import { addressOf } from './address.tsx';
import { Page } from './page.tsx';
import type { Start } from './start.ts';
import { Store } from './store.ts';
import { firstCallsOf, titleOf, viewOf } from './views.ts';

/* The part of the page that the server runs, to send the first view as HTML. */

export function firstCalls(address: string): { operation: string; input: object }[] {
  return firstCallsOf(addressOf(address));
}

export function render(start: Start): { html: string; title: string } {
  const store = new Store(start, () => Promise.reject(new Error('nothing is asked for while drawing')));
  return { html: renderToString(<Page store={store} />), title: titleOf(viewOf(addressOf(start.address))) };
}
