import { createContext, type ComponentChildren, type JSX } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { useListeners } from '../parts/elements.tsx';
import { goTo, useAddress } from '../address.tsx';
import { keptShares } from '../kept/offline.ts';
import { useTell, useWrite } from '../parts/writing.tsx';
import { useStore } from '../data/store.ts';
import { text } from '../text.ts';
import type { LibraryNews } from '../data/records.ts';
import { Desk } from './desk.ts';

const context = createContext<Desk | null>(null);

const savePath = '/app/save';

/** Around all views: follows what is processed, takes files that are dropped anywhere, and knows the key to the save box. */
export function DeskProvider({ children }: { children: ComponentChildren }): JSX.Element {
  const store = useStore();
  const desk = useMemo(() => new Desk(store), [store]);
  const [isOver, setOver] = useState(false);
  useEffect(() => followLibrary(desk), [desk]);
  useShared();
  useListeners({
    keydown(event) {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyS') return;
      event.preventDefault();
      if (location.pathname === savePath) document.querySelector('textarea')?.focus();
      else goTo(savePath);
    },
    dragover(event) {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      // Something in the page takes them itself.
      if (event.defaultPrevented) return setOver(false);
      // Else the browser would open the file in place of this page.
      event.preventDefault();
      setOver(true);
    },
    dragleave: ({ relatedTarget }) => relatedTarget === null && setOver(false),
    drop(event) {
      const files = event.dataTransfer?.files;
      if (files === undefined || files.length === 0) return;
      setOver(false);
      if (event.defaultPrevented) return;
      event.preventDefault();
      desk.saveFiles(files);
      if (location.pathname !== savePath) goTo(savePath);
    },
    beforeunload(event) {
      if (desk.hasUnsentFile || !store.kept.isSafe) event.preventDefault();
    },
  });
  return (
    <context.Provider value={desk}>
      {children}
      {isOver && <div class="drop-here">Drop files to save them</div>}
    </context.Provider>
  );
}

/** Says what became of what a phone shared, and that something waits. */
function useShared(): void {
  const store = useStore();
  const tell = useTell();
  const write = useWrite();
  const { query } = useAddress();
  const count = query.get('shared');
  useEffect(() => {
    if (count === null) return;
    const id = query.get('undo') ?? '';
    const undo = () => void write('undo', { id }, text.undoneOrNot);
    const message =
      count === '0'
        ? text.kept.shared
        : query.has('refused')
          ? `${text.counted(Number(count), 'item')} saved. The next one was refused, and those after it were not saved: share them alone.`
          : text.save.shared(Number(count));
    tell({ message, ...(id && { undo }) });
    goTo(savePath, true);
  }, [count]);
  useEffect(() => {
    if (!('caches' in globalThis) || location.pathname === savePath) return;
    const told = ({ length }: unknown[]): void => {
      if (length > 0)
        tell({ message: `${text.counted(length, 'shared thing waits', 'shared things wait')} on the save page.` });
    };
    void keptShares(store.start.accountId).then(told, () => undefined);
  }, []);
}

/** What was saved here and what is under way; the component is drawn again when it changes. */
export function useDesk(): Desk {
  const desk = useContext(context);
  const [, draw] = useState(0);
  useLayoutEffect(() => desk?.listen(() => draw((count) => count + 1)), [desk]);
  if (desk === null) throw new Error('there is no desk around this');
  return desk;
}

const retryMs = 3_000;
/** The server gives a sign of life every 15 s. After three times that, the connection is dead. */
const maxSilenceMs = 45_000;
/** Items that are asked about when a stream opens: the server takes no more. */
const maxAsked = 100;

/**
 * Keeps one stream of events open while the page can be seen: browsers allow a server only six connections, over all windows.
 * @returns ends it
 */
function followLibrary(desk: Desk): () => void {
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
