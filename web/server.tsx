import { renderToString } from 'preact-render-to-string';
import { addressOf } from './address.tsx';
import { laterViews } from './later.ts';
import { loadLater, Page } from './page.tsx';
import type { ReadItem, Start } from './data/records.ts';
import { Store } from './data/answers.ts';
import { firstCallsOf, titleOf, viewOf } from './views.ts';

/* The part of the page that the server runs, to send the first view as HTML. */

await loadLater();

export function firstCalls(address: string): { operation: string; input: object }[] {
  return firstCallsOf(addressOf(address));
}

/** @returns with the scripts that draw it again in the browser */
export function render(start: Start): { html: string; title: string; scripts: ('app.js' | 'later.js')[] } {
  const store = new Store(start, () => Promise.reject(new Error('nothing is asked for while drawing')), null);
  const view = viewOf(addressOf(start.address));
  const item = view.name === 'reading' ? store.get<ReadItem>('read_item', { id: view.id })?.answer : undefined;
  const html = renderToString(<Page store={store} />);
  return { html, title: titleOf(view, item), scripts: view.name in laterViews ? ['app.js', 'later.js'] : ['app.js'] };
}
