import type { LibraryNews } from '../records.ts';
import type { Desk } from './desk.ts';

const firstWaitMs = 1_000;
const maxWaitMs = 30_000;
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
  let waitMs = firstWaitMs;

  const close = (): void => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const openLater = (): void => {
    close();
    timer = setTimeout(open, waitMs);
    waitMs = Math.min(maxWaitMs, 2 * waitMs);
  };
  const live = (): void => {
    waitMs = firstWaitMs;
    clearTimeout(timer);
    timer = setTimeout(openLater, maxSilenceMs);
  };
  function open(): void {
    close();
    const query = new URLSearchParams(
      desk
        .unfinished()
        .slice(0, maxAsked)
        .map((id) => ['id', id]),
    );
    source = new EventSource(`/app/events?${query}`);
    source.addEventListener('news', ({ data }: MessageEvent<string>) => {
      live();
      desk.take(JSON.parse(data) as LibraryNews);
    });
    source.addEventListener('beat', () => {
      live();
      // Nothing is under way, and of some items that was not heard: the server follows the latest ones alone.
      if (desk.pending === 0 && desk.unfinished().length > 0) open();
    });
    source.addEventListener('error', openLater);
  }
  const look = (): void => {
    if (document.visibilityState === 'hidden') {
      close();
      return;
    }
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
