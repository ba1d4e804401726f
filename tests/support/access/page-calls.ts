import { localAccountId } from '../../../src/domain/records/account.ts';
import { openBrowser, type Shown, type TestBrowser } from './browser.ts';
import type { PageServer } from './page.ts';

/* Requests as the page's script makes them, without a browser. */

export const acceptsHtml = { accept: 'text/html' };

/** A browser in which the page is open, and the token that its script shows. */
export async function enter({ app, url }: PageServer): Promise<{ browser: TestBrowser; formToken: string }> {
  const browser = openBrowser(url);
  const code = await app.signIn.createLink(localAccountId, 'open');
  await browser.get(`/app/enter?code=${code}`);
  const done = await browser.post('/app/enter', { code });
  if (done.status !== 303) throw new Error(`nobody was let in: ${done.status}`);
  return { browser, formToken: tokenOf(await browser.get('/', acceptsHtml)) };
}

export function tokenOf({ text }: Shown): string {
  return /"formToken":"([^"]+)"/.exec(text)?.[1] ?? '';
}

export const cookiesOf = ({ cookies }: TestBrowser): string => [...cookies].map((pair) => pair.join('=')).join('; ');
