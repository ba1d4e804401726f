import { createContext, type ComponentChildren, type JSX } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { goTo, useAddress } from '../address.tsx';
import { keptShares } from '../kept/offline.ts';
import { useTell } from '../parts/toast.tsx';
import { useWrite } from '../parts/use-write.ts';
import { useStore } from '../store.ts';
import { text } from '../text.ts';
import { Desk } from './desk.ts';
import { followLibrary } from './follow.ts';

const context = createContext<Desk | null>(null);

const savePath = '/app/save';

/** Around all views: follows what is processed, takes files that are dropped anywhere, and knows the key to the save box. */
export function DeskProvider({ children }: { children: ComponentChildren }): JSX.Element {
  const store = useStore();
  const desk = useMemo(() => new Desk(store), [store]);
  const [isOver, setOver] = useState(false);
  useEffect(() => followLibrary(desk), [desk]);
  useShared();
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyS') return;
      event.preventDefault();
      if (location.pathname === savePath) document.querySelector('textarea')?.focus();
      else goTo(savePath);
    };
    const dragOver = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      // Something in the page takes them itself.
      if (event.defaultPrevented) return setOver(false);
      // Else the browser would open the file in place of this page.
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      const files = event.dataTransfer?.files;
      if (files === undefined || files.length === 0) return;
      setOver(false);
      if (event.defaultPrevented) return;
      event.preventDefault();
      desk.saveFiles(files, { tags: [], notes: '' });
      if (location.pathname !== savePath) goTo(savePath);
    };
    const closing = (event: BeforeUnloadEvent): void => {
      if (desk.hasUnsentFile || !store.kept.isSafe) event.preventDefault();
    };
    const over = new AbortController();
    const { signal } = over;
    addEventListener('beforeunload', closing, { signal });
    document.addEventListener('keydown', press, { signal });
    document.addEventListener('dragover', dragOver, { signal });
    document.addEventListener('dragleave', leave, { signal });
    document.addEventListener('drop', drop, { signal });
    return () => over.abort();
  }, [desk, store]);
  return (
    <context.Provider value={desk}>
      {children}
      {isOver && <div class="drop-here">{text.save.drop}</div>}
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
    const undo = () => void write({ operation: 'undo', input: { id }, done: text.undoneOrNot });
    const message =
      count === '0'
        ? text.kept.shared
        : query.has('refused')
          ? text.save.sharedPartly(Number(count))
          : text.save.shared(Number(count));
    tell({ message, ...(id && { undo }) });
    goTo(savePath, true);
  }, [count]);
  useEffect(() => {
    if (!('caches' in globalThis) || location.pathname === savePath) return;
    const told = ({ length }: unknown[]): void => {
      if (length > 0) tell({ message: text.kept.shares(length) });
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
