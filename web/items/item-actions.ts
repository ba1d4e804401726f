import type { JSX } from 'preact';
import { goTo, listAddress } from '../address.tsx';
import { filtersOf } from '../data/questions.ts';
import { copy, type Tell, type WriteCall } from '../parts/writing.tsx';
import type { Item, ManyChanged, Shelf } from '../data/records.ts';
import { text } from '../text.ts';
import { canRetry, linkOf, markdownOf } from './item-facts.ts';
import { callsFor, type PanelParts } from './item.ts';
import { ListsPanel, NotePanel, RelatedPanel, TagsPanel, TitlePanel, TodoPanel, VersionsPanel } from './panels.tsx';

/** Something that a person can do with an item. */
export interface ItemAction {
  name: string;
  label: string;
  /** As `KeyboardEvent.key` names it. */
  key: string;
  /** It can be done with several items at once. */
  many?: true;
  isFor?: (item: Item) => boolean;
  /** Opens beside the item; else it is done at once. */
  Panel?: (parts: PanelParts) => JSX.Element;
  run?: (
    items: readonly Item[],
    means: { write: WriteCall; tell: Tell; choose: (place: HTMLElement) => void },
  ) => unknown;
}

const rowInList = ({ id }: Item): HTMLElement | null =>
  document.querySelector<HTMLElement>(`:is(.row, .result)[data-item="${id}"]`);

/** All that can be done with items. The menu, the keys, their help, the reading view and the bar for several read it here. */
export const itemActions: readonly ItemAction[] = [
  moveTo('archive', 'e', 'Archive', 'Archived.'),
  moveTo('later', 'l', 'Keep for later', 'Kept for later.'),
  moveTo('inbox', 'i', 'Move to the inbox', 'Moved to the inbox.'),
  markAs('read'),
  markAs('unread'),
  { name: 'tags', label: 'Tags', key: 't', many: true, Panel: TagsPanel },
  {
    name: 'proposed',
    label: 'Take the proposed tags',
    key: '+',
    isFor: ({ proposedTags = [] }) => proposedTags.length > 0,
    run: ([item], { write }) =>
      write(
        'update_contents',
        { ids: [item?.id], addTags: item?.proposedTags?.map(({ tag }) => tag) },
        'Tags changed.',
      ),
  },
  { name: 'lists', label: 'Lists', key: 'p', many: true, Panel: ListsPanel },
  moveInList('up', 'Move up in the list', 'PageUp', -1),
  moveInList('down', 'Move down in the list', 'PageDown', 1),
  {
    name: 'select',
    label: 'Select, for several at once',
    key: 'x',
    isFor: (item) => !location.pathname.endsWith(item.id) && rowInList(item) !== null,
    run([item], { choose }) {
      const row = item === undefined ? null : rowInList(item);
      if (row !== null) choose(row);
    },
  },
  { name: 'title', label: 'Rename', key: 'E', Panel: TitlePanel },
  { name: 'note', label: 'Note', key: 'n', Panel: NotePanel },
  { name: 'todo', label: 'Add something to do', key: 'a', Panel: TodoPanel },
  {
    name: 'retry',
    label: 'Try again',
    key: 'r',
    many: true,
    isFor: canRetry,
    run: (items, { write }) =>
      write(
        'retry_item',
        items.map(({ id }) => ({ id })),
        'Queued again.',
      ),
  },
  {
    name: 'refresh',
    label: 'Fetch the page again',
    key: 'f',
    many: true,
    isFor: isFinishedPage,
    run: (items, { write }) =>
      write(
        'refresh_content',
        callsFor(items),
        ({ items: asked = [] }: Partial<ManyChanged>) =>
          asked.find(({ outcome }) => outcome === 'refused')?.message ?? text.items.refreshed,
      ),
  },
  { name: 'versions', label: 'Earlier texts', key: 'v', isFor: isFinishedPage, Panel: VersionsPanel },
  {
    name: 'link',
    label: 'Copy link',
    key: 'c',
    many: true,
    run: (items, { tell }) => copy(items.map((item) => linkOf(item, location.origin)).join('\n'), tell),
  },
  {
    name: 'markdown',
    label: 'Copy as Markdown',
    key: 'C',
    many: true,
    run: (items, { tell }) => copy(markdownOf(items, selectedOf(items[0]), location.origin), tell),
  },
  { name: 'related', label: 'Related items', key: 's', Panel: RelatedPanel },
  {
    name: 'history',
    label: 'History',
    key: 'y',
    run: ([item]) => item !== undefined && goTo(`/app/history?id=${item.id}`),
  },
  {
    name: 'remove',
    label: 'Delete',
    key: 'Delete',
    many: true,
    run(items, { write }) {
      const input = callsFor(items);
      // What is gone cannot be read on.
      if (items.some(({ id }) => location.pathname.endsWith(id))) goTo(listAddress());
      return write('delete_items', input, text.items.removed(items.length));
    },
  },
];

function isFinishedPage({ url, status }: Item): boolean {
  return url !== null && status === 'completed';
}

function moveTo(shelf: Shelf, key: string, label: string, done: string): ItemAction {
  return {
    name: shelf,
    label,
    key,
    many: true,
    isFor: (item) => item.shelf !== shelf,
    run: (items, { write }) => write('update_contents', callsFor(items, { shelf }), done),
  };
}

/** Moves an item in the list by hand that is shown. Of a list by a query the server says that it has no order of its own. */
function moveInList(name: string, label: string, key: string, step: number): ItemAction {
  const place = (): { list: string; isInOrder: boolean } => {
    const { list, order } = filtersOf(new URLSearchParams(location.search));
    return { list, isInOrder: location.pathname === '/' && list !== '' && order === '' };
  };
  return {
    name,
    label,
    key,
    isFor: () => place().isInOrder,
    async run([item], { write }) {
      const row = document.querySelector(`.row[data-item="${item?.id}"]`);
      const position = Number(row?.ariaPosInSet) - 1 + step;
      if (position < 0 || position >= Number(row?.ariaSetSize)) return;
      await write('put_in_list', { id: place().list, contentIds: [item?.id], position }, 'Moved in the list.');
    },
  };
}

function markAs(name: 'read' | 'unread'): ItemAction {
  const read = name === 'read';
  return {
    name,
    label: `Mark as ${name}`,
    key: 'R',
    many: true,
    isFor: ({ readAt = null }) => (readAt === null) === read,
    run: (items, { write }) =>
      write('update_contents', callsFor(items, { read }), read ? 'Marked as read.' : 'Marked as unread.'),
  };
}

/** The words of this item that are selected. */
function selectedOf(item: Item | undefined): string {
  const selection = getSelection();
  const place = selection?.anchorNode?.parentElement?.closest(`[data-item="${item?.id}"], main.reading`) ?? null;
  return place === null ? '' : String(selection);
}

/** What can be done with these items. */
export function actionsFor(items: readonly Item[]): ItemAction[] {
  return itemActions.filter(
    ({ many, isFor }) => (items.length === 1 || many === true) && (isFor === undefined || items.some(isFor)),
  );
}
