import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { todoAddress, everywhere, libraryAddress, listInput, shelves } from '../data/questions.ts';
import { goTo } from '../address.tsx';
import { actionsFor } from '../items/item-actions.ts';
import { itemAt, placeAround } from '../items/item.ts';
import { spotOf, useTools } from '../items/item-tools.tsx';
import { nameOf } from '../items/item-facts.ts';
import { CompletedField } from '../parts/completed-field.tsx';
import { Icon, useListeners } from '../parts/elements.tsx';
import type {
  ContentSummary,
  GoalsOverview,
  LibraryState,
  List,
  ItemList,
  Suggestions,
  TagCount,
} from '../data/records.ts';
import { useDesk } from '../save/desk-provider.tsx';
import { whatIs } from '../save/desk.ts';
import { useSignOut } from '../parts/writing.tsx';
import { choose } from '../settings/appearance.tsx';
import { useAnswer, useStore } from '../data/store.ts';
import { text } from '../text.ts';
import { maxLists, paths, places } from '../views.ts';

const title = 'Go somewhere, do something, find something';

const maxRecent = 5;
const maxTitles = 8;

/** All that one can go to, do, search and filter, by `Ctrl K`. */
export function Palette(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [place, setPlace] = useState<{ item: HTMLElement | null } | null>(null);
  const open = (): void => {
    setPlace({ item: placeAround(document.activeElement) ?? document.querySelector<HTMLElement>('.head[data-item]') });
  };
  const close = (): void => {
    dialog.current?.close();
    setPlace(null);
  };
  useListeners({
    keydown(event) {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.code !== 'KeyK') return;
      event.preventDefault();
      if (dialog.current?.open === true) close();
      else open();
    },
  });
  useLayoutEffect(() => {
    if (place !== null) dialog.current?.showModal();
  }, [place]);
  return (
    <>
      <button type="button" class="to-palette" aria-label="Commands (press Ctrl K)" onClick={open}>
        <Icon name="command" />
      </button>
      <dialog
        ref={dialog}
        class="palette"
        aria-label={title}
        // The event comes later, when it may be open again.
        onClose={({ currentTarget }) => !currentTarget.open && setPlace(null)}
        onClick={({ target, currentTarget }) => target === currentTarget && close()}
        onKeyDown={(event) => {
          // Else the page would only leave the field.
          if (event.key !== 'Escape' || event.isComposing) return;
          event.preventDefault();
          close();
        }}
      >
        {place !== null && <Commands place={place.item} close={close} />}
      </dialog>
    </>
  );
}

interface Command {
  shown: string;
  /** What it is about. */
  hint: string;
  /** It is shown whatever is typed. */
  isSure?: boolean;
  /** The palette stays open. */
  stays?: boolean;
  run: () => unknown;
}

interface CommandsParts {
  /** The item that had the focus, or is read. */
  place: HTMLElement | null;
  close: () => void;
}

function Commands({ place, close }: CommandsParts): JSX.Element {
  const [typed, setTyped] = useState('');
  const commands = useCommands(typed.trim(), place);
  return (
    <CompletedField
      label={title}
      placeholder="Type a name, a word or an address"
      isListed
      isFirstChosen
      typed={typed}
      maxShown={60}
      options={commands.map((command, index) => ({ ...command, value: String(index) }))}
      onType={setTyped}
      onTake={(index) => {
        const command = commands[Number(index)];
        // The focus is back where it was before something else takes it.
        if (command?.stays !== true) close();
        command?.run();
      }}
    />
  );
}

function useCommands(typed: string, place: HTMLElement | null): Command[] {
  const { start } = useStore();
  const desk = useDesk();
  const { begin } = useTools();
  const signOut = useSignOut();
  const [isLeaving, setLeaving] = useState(false);
  const { answer: state } = useAnswer<LibraryState>('library_state', {});
  const { answer: tags } = useAnswer<List<TagCount>>('list_tags', { limit: 100 });
  const { answer: lists } = useAnswer<List<ItemList>>('list_lists', { limit: maxLists });
  const { answer: overview } = useAnswer<GoalsOverview>('goals_overview', {});
  const { answer: recent } = useAnswer<List<ContentSummary>>('list_library', listInput(new URLSearchParams(), 0));
  const { answer: found } = useAnswer<Suggestions>(
    'suggest',
    typed === '' ? null : { prefix: typed.slice(0, 200), limit: 2 * maxTitles },
  );
  const what = whatIs(typed);
  const item = itemAt(place);
  const titles = (found?.suggestions ?? []).flatMap(({ id, text: shown }) => (id === undefined ? [] : { id, shown }));
  const items =
    typed === ''
      ? (recent?.items ?? []).slice(0, maxRecent).map(({ id, title, url }) => ({ id, shown: nameOf(title, url) }))
      : titles.slice(0, maxTitles);
  const does = (hint: string, shown: string, run: () => unknown): Command => ({ hint, shown, run });
  const go = (hint: string, shown: string, address: string): Command => does(hint, shown, () => goTo(address));
  const list = (hint: string, shown: string, changes: Parameters<typeof libraryAddress>[1]): Command =>
    go(hint, shown, libraryAddress(everywhere, changes));
  const always = (command: Command): Command => ({ ...command, isSure: true });
  return [
    ...(what.kind === 'pages' ? [always(does('do', `Save ${typed}`, () => (desk.save(what), goTo('/app/save'))))] : []),
    ...(item === undefined || place === null
      ? []
      : actionsFor([item]).map((action) =>
          does(nameOf(item.title, item.url), action.label, () => begin(action, [item], spotOf(place))),
        )),
    ...items.map(({ id, shown }) => always(go('item', shown, `/app/read/${id}`))),
    ...places.map((view) => go('go', text.views[view], paths[view])),
    ...shelves.map((shelf) => list('go', text.library.shelves[shelf], { shelf })),
    ...(lists?.items ?? []).map(({ id, name }) => list('list', name, { list: id })),
    go('do', 'Save an address, a note or a file', '/app/save'),
    does('do', 'Add something to do', () => {
      goTo('/app/actions');
      // The view is drawn in the microtask before this one.
      queueMicrotask(() => document.querySelector<HTMLElement>('main .action-title')?.focus());
    }),
    go('do', 'Import from another program', '/app/settings#import'),
    go('do', 'Export everything', '/app/settings#export'),
    go('do', 'Connect an assistant', '/app/settings#connect'),
    ...Object.entries(text.settings.choices.theme.values).map(([value, shown]) =>
      does('do', `Colours: ${shown.toLowerCase()}`, () => choose(start, 'theme', value as typeof start.choices.theme)),
    ),
    does('do', 'Show all keys', () => document.querySelector<HTMLElement>('.to-keys')?.click()),
    {
      hint: 'do',
      shown: isLeaving ? `Sure? ${signOut.words}: press again to do it` : signOut.words,
      stays: true,
      run: () => (isLeaving ? signOut.run() : setLeaving(true)),
    },
    ...(state?.kinds ?? []).map(({ kind }) => list('show only', text.kinds[kind], { kind })),
    ...Object.entries(text.library.states).map(([value, shown]) => list('show only', shown, { state: value })),
    ...(overview?.goals ?? []).map(({ id, title: goal }) => go('goal', goal, todoAddress('open', id))),
    ...(tags?.items ?? []).map(({ tag }) => list('tag', tag, { tags: [tag] })),
    ...(typed === '' ? [] : [always(list('search', `Search for “${typed}”`, { q: typed }))]),
  ];
}
