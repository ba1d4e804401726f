import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AddressBeside, addressOf, AddressProvider, listAddress, scrollOfList, useAddress } from './address.tsx';
import { Keys } from './keys/keys.tsx';
import { Palette } from './keys/palette.tsx';
import { Todo } from './views/todo.tsx';
import { ItemTools } from './items/item-tools.tsx';
import { Conflicts } from './kept/conflicts.tsx';
import { DeskProvider } from './save/desk-provider.tsx';
import { SaveBox } from './save/save-box.tsx';
import { Library } from './library/library.tsx';
import { Lists } from './views/lists.tsx';
import { Navigation } from './parts/navigation.tsx';
import { useMedia, Waiting } from './parts/elements.tsx';
import { Toasts, useTell } from './parts/writing.tsx';
import { Reading } from './reading/reading.tsx';
import type { Store } from './data/answers.ts';
import { CallError } from './data/calls.ts';
import { StoreProvider, useConnection } from './data/store.ts';
import { text } from './text.ts';
import { type Place, titleOf, viewOf, type View } from './views.ts';

/** The whole page. */
export function Page({ store }: { store: Store }): JSX.Element {
  return (
    <StoreProvider value={store}>
      <AddressProvider first={store.start.address}>
        <Toasts>
          <DeskProvider>
            <ItemTools>
              <a class="skip" href="#content">
                Skip to the content
              </a>
              <Navigation />
              <Connection />
              <CurrentView />
              <Keys />
              <Palette />
              <Conflicts />
            </ItemTools>
          </DeskProvider>
        </Toasts>
      </AddressProvider>
    </StoreProvider>
  );
}

/** The view of the address. A wide screen shows the list beside what is read. */
function CurrentView(): JSX.Element {
  const address = useAddress();
  const isWide = useMedia('(min-width: 75rem)');
  const view = viewOf(address);
  const key = view.name === 'reading' ? view.id : view.name;
  const isBeside = view.name === 'reading' && isWide;
  const main = useRef<HTMLElement>(null);
  const list = useRef<HTMLElement>(null);
  const read = useRef<HTMLDivElement>(null);
  const shown = useRef(key);
  useEffect(() => {
    // Whoever reads with their ears hears where they are now.
    // An item names the window itself, once it is known.
    if (view.name !== 'reading') document.title = titleOf(view);
    const box = isBeside ? read.current : main.current;
    const row =
      view.name === 'library' ? main.current?.querySelector<HTMLElement>(`h2 a[href$="/${shown.current}"]`) : null;
    const { activeElement } = document;
    const isInside = activeElement !== box && box?.contains(activeElement) === true;
    if (shown.current !== key && !isInside) (row ?? box)?.focus();
    shown.current = key;
  }, [key]);
  useKeptScroll(list, view.name === 'library', isBeside);
  return (
    <main id="content" tabindex={-1} ref={main} class={view.name}>
      {(isBeside || view.name === 'library') && (
        <AddressBeside value={isBeside ? { ...addressOf(listAddress()), reading: view.id } : address}>
          <section class="list" key="list" ref={list} aria-label={isBeside ? text.views.library : undefined}>
            <Library />
          </section>
        </AddressBeside>
      )}
      {view.name !== 'library' && (
        <div class="view" key="view" tabindex={-1} ref={read}>
          <Drawn view={view} />
        </div>
      )}
    </main>
  );
}

/** Beside a text the list scrolls by itself, else with the window. It stays at its place, also for who comes back from a text. */
function useKeptScroll(list: { current: HTMLElement | null }, isAlone: boolean, isBeside: boolean): void {
  const at = useRef(0);
  useLayoutEffect(() => {
    const box = list.current;
    if (box === null || !isBeside) {
      const place = at.current || scrollOfList();
      if (isAlone && place > 0) scrollTo(0, place);
      at.current = 0;
      return undefined;
    }
    at.current = box.scrollTop = scrollOfList();
    const remember = (): void => {
      at.current = box.scrollTop;
    };
    box.addEventListener('scroll', remember, { passive: true });
    return () => box.removeEventListener('scroll', remember);
  }, [isAlone, isBeside]);
}

type Views = Partial<Record<Exclude<Place, 'library'> | 'missing', () => JSX.Element>>;
/** What stands below the name of a view: those that are there from the beginning, and the others once they are loaded. */
const views: Views = {
  lists: Lists,
  actions: Todo,
  save: SaveBox,
  missing: () => <p>There is nothing at this address.</p>,
};

/** Loads the views that are not part of the first script. @returns the address of theirs */
export async function loadLater(): Promise<string> {
  const { address, laterViews } = await import('./later.ts');
  Object.assign(views, laterViews);
  return address;
}

/** Whether this view can be drawn. */
export function isLoaded({ name }: View): boolean {
  return name === 'library' || name === 'reading' || views[name] !== undefined;
}

function Drawn({ view }: { view: View }): JSX.Element | null {
  const [, draw] = useState(0);
  if (view.name === 'reading') return <Reading key={view.id} id={view.id} />;
  if (view.name === 'library') return null;
  const Shown = views[view.name];
  return (
    <>
      <h1>{text.views[view.name]}</h1>
      {Shown === undefined ? <Unloaded key={view.name} onLoaded={() => draw(1)} /> : <Shown />}
    </>
  );
}

/** Loads a view that is not there yet, and once more when the server is back. */
function Unloaded({ onLoaded }: { onLoaded: () => void }): JSX.Element {
  const store = useConnection();
  const [error, setError] = useState<CallError>();
  useEffect(() => {
    if (error !== undefined && !store.isConnected) return;
    let isOver = false;
    void loadLater().then(onLoaded, () => {
      if (isOver) return;
      // Some browsers keep in mind that a script could not be loaded.
      if (error !== undefined) location.reload();
      setError(new CallError('', 0));
      // Where the server is away, the store hears of it, and then when it is back.
      void store.call('library_state', {}).catch(() => undefined);
    });
    return () => {
      isOver = true;
    };
  }, [store.isConnected]);
  return <Waiting error={error} />;
}

/** Says that the server does not answer, and what waits for it. */
function Connection(): JSX.Element {
  const store = useConnection();
  const tell = useTell();
  useEffect(() => {
    store.onLate = (fate, operation) => {
      // How far one has read is nobody's news.
      if (operation === 'update_reading') return;
      if (fate !== 'conflicts')
        tell({
          message:
            'refused' in fate
              ? `A waiting change was refused. Your text is kept as a draft. ${fate.refused.message}`
              : 'The waiting changes were sent.',
        });
      store.refresh();
    };
    store.onOver = () => location.assign('/');
    store.resume();
  }, []);
  const { length } = store.waiting;
  return (
    <div class="connection" role="status">
      {!store.isConnected &&
        [text.connectionLost, length > 0 && `${text.counted(length, 'change waits', 'changes wait')} to be sent.`]
          .filter(Boolean)
          .join(' ')}
    </div>
  );
}
