/*
 * The script of the small window that the bookmarklet opens. The page that opened it hands over what it shows; the person says whether it is
 * saved. The words stand in `src/http/page/capture.ts`, which draws the window.
 */

interface Handed {
  url: string;
  title: string;
  html: string;
  selection: string;
}

/** So long the page may take until only its address is offered. */
const maxWaitMs = 4_000;
/** A press that was meant for the page below, which the window came to lie over, is none. */
const minSeenMs = 600;

const find = <Kind extends Element>(query: string): Kind => document.querySelector(query) as Kind;
const main = find<HTMLElement>('main');
const form = find<HTMLFormElement>('form');
const button = find<HTMLButtonElement>('form button');
const say = (id: string, words: string): void => {
  find(`#${id}`).textContent = words;
};
const headers = { 'x-commonplace-form': main.dataset['token'] ?? '' };
const fields = new FormData();

function offer(url: string, words: string): void {
  fields.set('url', url);
  say('what', words);
  setTimeout(() => {
    button.disabled = false;
    button.focus();
  }, minSeenMs);
}

function take({ url, title, html, selection }: Handed): void {
  clearTimeout(waiting);
  fields.set('html', new Blob([html], { type: 'text/html' }), 'page.html');
  if (title !== '') fields.set('title', title.slice(0, 1_000));
  if (selection.trim() !== '') fields.set('selection', selection.slice(0, 8_000));
  offer(url, `${title || url} (${new URL(url).host})`);
}

/** Only the page that opened this window may hand over, and only itself. */
addEventListener('message', ({ source, origin, data }: MessageEvent<Partial<Handed> | null>) => {
  if (source === null || source !== opener || fields.has('url')) return;
  const { url, title, html, selection } = data ?? {};
  const isPage = [url, title, html, selection].every((one) => typeof one === 'string');
  if (isPage && URL.parse(url ?? '')?.origin === origin) take(data as Handed);
});
const waiting = setTimeout(() => {
  const { url = '' } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (URL.canParse(url)) offer(url, `This page does not hand over its text. Its address will be fetched: ${url}`);
  else say('what', 'No page was handed over. Open a page, and press the bookmark there.');
}, maxWaitMs);
// It holds nothing that another site could use.
(opener as Window | null)?.postMessage('commonplace', '*');

async function post(path: string, init: RequestInit): Promise<Record<string, string>> {
  const response = await fetch(path, { method: 'POST', ...init });
  const answer = (await response.json()) as Record<string, string>;
  if (!response.ok) throw new Error(answer['detail']);
  return answer;
}

// A key that was pressed in the page below goes on here: it saves nothing until a key was let go in this window.
let isKeyFree = false;
addEventListener('keyup', () => (isKeyFree = true));
addEventListener('keydown', (event) => {
  const isPress =
    (event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) ||
    (event.key === ' ' && event.target instanceof HTMLButtonElement);
  if (isPress && (event.repeat || !isKeyFree)) event.preventDefault();
});

find('#close').addEventListener('click', () => close());
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  for (const [name, value] of new FormData(form)) fields.set(name, value);
  say('done', 'Saving…');
  try {
    const { id = '', outcome, undo = '' } = await post('/app/capture', { headers, body: fields });
    say('done', outcome === 'existed' ? 'It was saved already.' : 'Saved.');
    find<HTMLAnchorElement>('#then a').href = `/app/read/${id}`;
    const back = find<HTMLButtonElement>('#undo');
    back.hidden = undo === '';
    back.addEventListener('click', () => {
      back.disabled = true;
      const body = JSON.stringify({ id: undo });
      const undone = post('/app/api/undo', { headers: { ...headers, 'content-type': 'application/json' }, body });
      void undone.then(
        () => say('done', 'Undone.'),
        (error: Error) => say('done', error.message),
      );
    });
    find<HTMLElement>('#then').hidden = false;
    find<HTMLButtonElement>('#close').focus();
  } catch (error) {
    button.disabled = false;
    say('done', error instanceof TypeError ? 'The server does not answer. Try again.' : (error as Error).message);
  }
});
