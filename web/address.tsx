import { type ComponentChildren, type JSX, createContext } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import { useListeners } from './parts/elements.tsx';

/** Where the page is: path and query, without the fragment. */
export interface Address {
  path: string;
  query: URLSearchParams;
  /** The item that is read beside the list. */
  reading?: string;
}

export function addressOf(text: string): Address {
  const { pathname, searchParams } = new URL(text, 'http://page.invalid');
  return { path: pathname, query: searchParams };
}

const context = createContext<Address>({ path: '/', query: new URLSearchParams() });

export const useAddress = (): Address => useContext(context);
export const AddressBeside = context.Provider;

/** Paths that this page draws by itself; every other address is a separate document. */
function isView(path: string): boolean {
  return path === '/' || path === '/app' || /^\/app\/(?!api|assets|files|original|enter|capture|share)/.test(path);
}

let announce: () => void = () => undefined;

/** The list that was shown last, with its filters: what is read is one of it. It stays with the entry of the history. */
export function listAddress(): string {
  const { list = '/' } = (history.state ?? {}) as { list?: string };
  return location.pathname === '/' ? `/${location.search}` : list;
}

let left = { list: '', scroll: 0 };

/** How far the list was scrolled with the window when an item of it was opened. A scroll event may come too late to tell. */
export const scrollOfList = (): number => (left.list === listAddress() ? left.scroll : 0);

/** Goes to another view. @param isSame the person stays where they are: no new entry in the history */
export function goTo(address: string, isSame = false): void {
  const state = { list: listAddress() };
  if (location.pathname === '/') left = { list: address.startsWith('/app/read/') ? state.list : '', scroll: scrollY };
  if (isSame) history.replaceState(state, '', address);
  else history.pushState(state, '', address);
  announce();
}

/** Follows links within the page without loading a document, and the browser's way back. */
export function AddressProvider({ first, children }: { first: string; children: ComponentChildren }): JSX.Element {
  const [text, setText] = useState(first);
  useLayoutEffect(() => {
    announce = () => setText(location.pathname + location.search);
  }, []);
  useListeners({
    popstate: () => announce(),
    click(event) {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
      const link = (event.target as Element).closest('a');
      if (link === null || link.target !== '' || link.hasAttribute('download')) return;
      const to = new URL(link.href);
      if (to.origin !== location.origin || !isView(to.pathname)) return;
      if (to.pathname === location.pathname && to.search === location.search && to.hash !== '') return;
      event.preventDefault();
      goTo(to.pathname + to.search + to.hash);
      if (to.hash === '') scrollTo(0, 0);
    },
  });
  return <context.Provider value={addressOf(text)}>{children}</context.Provider>;
}
