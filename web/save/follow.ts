import type { LibraryNews } from '../records.ts';
import type { Desk } from './desk.ts';

const retryMs = 3_000;
/** The server gives a sign of life every 15 s. After three times that, the connection is dead. */
const maxSilenceMs = 45_000;
/** Items that are asked about when a stream opens: the server takes no more. */
const maxAsked = 100;

/**
 * Keeps one stream of events open while the page can be seen: browsers allow a server only six connections, over all windows.
 * @returns ends it
 */
export function followLibrary(desk: Desk): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const openIn = (waitMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(open, waitMs);
  };
  const close = (): void => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  function open(): void {
    close();
    const ids = desk.unfinished().slice(0, maxAsked);
    source = new EventSource(`/app/events?${new URLSearchParams(ids.map((id) => ['id', id]))}`);
    source.addEventListener('news', ({ data }: MessageEvent<string>) => {
      openIn(maxSilenceMs);
      desk.take(JSON.parse(data) as LibraryNews);
    });
    source.addEventListener('beat', () => {
      openIn(maxSilenceMs);
      // Nothing is under way, and of some items that was not heard: the server follows the latest ones alone.
      if (desk.pending === 0 && desk.unfinished().length > 0) open();
    });
    source.addEventListener('error', () => {
      close();
      openIn(retryMs);
    });
  }
  const look = (): void => {
    if (document.visibilityState === 'hidden') return close();
    // Not all that another window or an assistant changed meanwhile is in the news.
    desk.lookAgain();
    if (source === undefined) open();
  };
  document.addEventListener('visibilitychange', look);
  // Of two windows side by side, both can be seen.
  addEventListener('focus', look);
  if (document.visibilityState !== 'hidden') open();
  return () => {
    document.removeEventListener('visibilitychange', look);
    removeEventListener('focus', look);
    close();
  };
}
