import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { AddressProvider, useAddress } from './address.tsx';
import { Keys } from './keys/keys.tsx';
import { Todo } from './actions/todo.tsx';
import { History } from './history/history.tsx';
import { Trash } from './history/trash.tsx';
import { ItemTools } from './items/item-tools.tsx';
import { Goals } from './goals/goals.tsx';
import { Problems } from './problems/problems.tsx';
import { DeskProvider } from './save/desk-provider.tsx';
import { SaveBox } from './save/save-box.tsx';
import { Week } from './week/week.tsx';
import { Library } from './library/library.tsx';
import { Navigation } from './parts/navigation.tsx';
import { Toasts } from './parts/toast.tsx';
import { Reading } from './reading/reading.tsx';
import { Settings } from './settings/settings.tsx';
import type { Store } from './answers.ts';
import { StoreProvider } from './store.ts';
import { text } from './text.ts';
import { titleOf, viewOf, type View } from './views.ts';

interface PageParts {
  store: Store;
  /** Told when calls begin and cease to reach the server. */
  onConnection?: (listener: (isThere: boolean) => void) => void;
}

/** The whole page. */
export function Page({ store, onConnection }: PageParts): JSX.Element {
  return (
    <StoreProvider value={store}>
      <AddressProvider first={store.start.address}>
        <Toasts>
          <DeskProvider>
            <ItemTools>
              <a class="skip" href="#content">
                {text.skip}
              </a>
              <Navigation />
              <Connection onConnection={onConnection} />
              <CurrentView />
              <Keys />
            </ItemTools>
          </DeskProvider>
        </Toasts>
      </AddressProvider>
    </StoreProvider>
  );
}

function CurrentView(): JSX.Element {
  const view = viewOf(useAddress());
  const key = view.name === 'reading' ? view.id : view.name;
  const main = useRef<HTMLElement>(null);
  const shown = useRef(key);
  useEffect(() => {
    // Whoever reads with their ears hears where they are now.
    // An item names the window itself, once it is known.
    if (view.name !== 'reading') document.title = titleOf(view);
    const hasFocus = main.current?.contains(document.activeElement) === true;
    if (shown.current !== key && !hasFocus) main.current?.focus();
    shown.current = key;
  }, [key]);
  return (
    <main id="content" tabindex={-1} ref={main} class={view.name}>
      {draw(view)}
    </main>
  );
}

function draw(view: View): JSX.Element {
  switch (view.name) {
    case 'library':
      return <Library />;
    case 'reading':
      return <Reading key={view.id} id={view.id} />;
    case 'settings':
      return <Settings />;
    case 'actions':
      return <Todo />;
    case 'goals':
      return <Goals />;
    case 'week':
      return <Week />;
    case 'save':
      return <SaveBox />;
    case 'problems':
      return <Problems />;
    case 'history':
      return <History />;
    case 'trash':
      return <Trash />;
    default:
      return (
        <>
          <h1>{text.views.missing}</h1>
          <p>{text.missing}</p>
        </>
      );
  }
}

function Connection({ onConnection }: Pick<PageParts, 'onConnection'>): JSX.Element {
  const [isThere, setThere] = useState(true);
  useEffect(() => onConnection?.(setThere), [onConnection]);
  return (
    <div class="connection" role="status">
      {!isThere && text.connectionLost}
    </div>
  );
}
