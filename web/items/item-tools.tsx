import { type ComponentChildren, type JSX, createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useAddress } from '../address.tsx';
import type { CallError } from '../data/calls.ts';
import { focusRow } from '../keys/focus-row.ts';
import { listInput, rowsAtOnce } from '../data/questions.ts';
import { Do, useTell, useWrite } from '../parts/writing.tsx';
import { Icon, useListeners } from '../parts/elements.tsx';
import type { ContentSummary, Item, List } from '../data/records.ts';
import { useStore } from '../data/store.ts';
import { text } from '../text.ts';
import { nameOf } from './item-facts.ts';
import { type Spot, Floating, Menu } from './floating.tsx';
import { type ItemAction, actionsFor, itemActions } from './item-actions.ts';
import { itemAt, latest, placeAround } from './item.ts';

const chosenWords = (count: number): string => `${text.counted(count, 'item')} chosen`;

interface Tools {
  chosen: ReadonlyMap<string, Item>;
  /** Chooses an item, or no longer. @param isRange all from the one chosen last to this one */
  choose: (place: HTMLElement, isRange: boolean) => void;
  openMenu: (place: HTMLElement, at: Spot) => void;
  /** Does it with these items, or opens its panel. */
  begin: (action: ItemAction, items: readonly Item[], at: Spot) => void;
  /** @returns whether the key means something here */
  press: (event: KeyboardEvent) => boolean;
}

interface Open {
  items: readonly Item[];
  at: Spot;
  /** Null: the menu. */
  action: ItemAction | null;
}

const longPressMs = 500;
/** A finger that moves farther scrolls. */
const maxMoved = 10;
const context = createContext<Tools | null>(null);

export function useTools(): Tools {
  const tools = useContext(context);
  if (tools === null) throw new Error('there are no tools around this');
  return tools;
}

/** Around all views: the menu of items, their panels, their keys, and those that are chosen. */
export function ItemTools({ children }: { children: ComponentChildren }): JSX.Element {
  const [store, write, tell] = [useStore(), useWrite(), useTell()];
  const { path, query } = useAddress();
  const [chosen, setChosen] = useState<ReadonlyMap<string, Item>>(new Map());
  const [open, setOpen] = useState<Open | null>(null);
  const last = useRef<{ id: string; row: number } | null>(null);
  const opener = useRef<HTMLElement | null>(null);

  // What is not to be seen is not chosen.
  useLayoutEffect(() => {
    last.current = null;
    setChosen(new Map());
    setOpen(null);
  }, [path, query.toString()]);

  const show = (next: Open, place: HTMLElement | null): void => {
    const active = document.activeElement as HTMLElement;
    // A panel that the menu opens has the opener of the menu.
    if (active.closest('.floating') === null)
      opener.current = place === null || place.contains(active) ? active : place.querySelector('h2 a');
    setOpen(next);
  };
  const close = (): void => {
    const hadFocus = document.activeElement?.closest('.floating') !== null;
    if (hadFocus) opener.current?.focus();
    setOpen(null);
  };
  /** All that is chosen when this is part of it, else this alone. */
  const withChosen = (item: Item): Item[] => (chosen.has(item.id) ? [...chosen.values()].map(latest) : [item]);

  const tools: Tools = {
    chosen,
    choose(place, isRange) {
      const item = itemAt(place);
      if (item === undefined) return;
      const from = last.current;
      last.current = { id: item.id, row: rowOf(place) };
      if (isRange && from !== null)
        void itemsBetween(from, place).then(
          (items) => setChosen((before) => new Map([...before, ...items.map((one) => [one.id, one] as const)])),
          ({ message }: CallError) => tell({ message: message || text.connectionLost }),
        );
      else
        setChosen((before) => {
          const next = new Map(before);
          if (!next.delete(item.id)) next.set(item.id, item);
          return next;
        });
    },
    openMenu(place, at) {
      const item = itemAt(place);
      if (item !== undefined) show({ items: withChosen(item), at, action: null }, place);
    },
    begin(action, items, at) {
      if (action.Panel !== undefined) return show({ items, at, action }, null);
      close();
      // They leave the list that is shown.
      if (['remove', 'archive', 'later', 'inbox'].includes(action.name)) setChosen(new Map());
      void action.run?.(action.isFor === undefined ? items : items.filter(action.isFor), {
        write,
        tell,
        choose(place) {
          if (!chosen.has(itemAt(place)?.id ?? '')) tools.choose(place, false);
        },
      });
    },
    press({ key, shiftKey }) {
      const focused = placeAround(document.activeElement);
      const place = focused ?? document.querySelector<HTMLElement>('.head[data-item]');
      const item = itemAt(place);
      const step = shiftKey ? { J: 1, j: 1, ArrowDown: 1, K: -1, k: -1, ArrowUp: -1 }[key] : undefined;
      if (key === 'Escape' && chosen.size > 0) setChosen(new Map());
      else if (key === 'x' && focused !== null && canChoose(focused)) tools.choose(focused, false);
      else if (step !== undefined && focused !== null && canChoose(focused)) {
        if (!chosen.has(item?.id ?? '')) tools.choose(focused, false);
        focusRow(step === 1 ? 1 : -1);
        const next = placeAround(document.activeElement);
        if (next !== null) tools.choose(next, true);
      } else if (place !== null && key === 'm') tools.openMenu(place, spotOf(place));
      else {
        const items = chosen.size > 0 ? [...chosen.values()].map(latest) : item === undefined ? [] : [item];
        const wanted = key === 'Backspace' ? 'Delete' : key;
        const action = actionsFor(items).find((one) => one.key === wanted);
        if (action === undefined || items.length === 0) return false;
        tools.begin(action, items, spotOf(place ?? document.querySelector('.bulk') ?? document.body));
      }
      return true;
    },
  };
  /** What stands between two rows of the list, drawn or not, or between two results. */
  const itemsBetween = async (from: { id: string; row: number }, place: HTMLElement): Promise<Item[]> => {
    const [first = 0, end = 0] = [from.row, rowOf(place)].toSorted((a, b) => a - b);
    if (!(first >= 0)) {
      const all = [...document.querySelectorAll('main [data-item]')];
      const ends = [all.findIndex((one) => itemAt(one)?.id === from.id), all.indexOf(place)].toSorted((a, b) => a - b);
      return all.slice(ends[0], (ends[1] ?? 0) + 1).flatMap((one) => itemAt(one) ?? []);
    }
    const items: Item[] = [];
    for (let offset = first - (first % rowsAtOnce); offset <= end; offset += rowsAtOnce) {
      const input = listInput(query, offset);
      const { items: part } =
        store.get<List<ContentSummary>>('list_library', input)?.answer ??
        (await store.call<List<ContentSummary>>('list_library', input));
      items.push(...part.slice(Math.max(0, first - offset), end - offset + 1));
    }
    return items;
  };

  /** The press of a finger or the mouse that was begun last. */
  const press = useRef<{ timer?: ReturnType<typeof setTimeout>; down?: PointerEvent; wasLong: boolean }>({
    wasLong: false,
  });
  const openAt = (target: EventTarget | null, x: number, y: number): boolean => {
    const place = placeAround(target);
    if (place === null) return false;
    const isPoint = x !== 0 || y !== 0;
    tools.openMenu(place, isPoint ? { left: x, top: y, bottom: y } : spotOf(place));
    return true;
  };
  const endPress = (): void => clearTimeout(press.current.timer);
  useListeners({
    // With Shift the browser's own menu is shown.
    contextmenu(event) {
      // On some systems the event comes when the key goes up, and the menu has the focus already.
      const isInMenu = (event.target as Element).closest('[role=menu]') !== null;
      if (!event.shiftKey && (isInMenu || openAt(event.target, event.clientX, event.clientY))) event.preventDefault();
    },
    pointerdown(event) {
      endPress();
      press.current = { down: event, wasLong: false };
      if (event.pointerType !== 'touch') return;
      press.current.timer = setTimeout(() => {
        press.current.wasLong = openAt(event.target, event.clientX, event.clientY);
      }, longPressMs);
    },
    pointermove({ clientX, clientY }) {
      const { down } = press.current;
      if (Math.hypot(clientX - (down?.clientX ?? 0), clientY - (down?.clientY ?? 0)) > maxMoved) endPress();
    },
    pointerup: endPress,
    pointercancel: endPress,
  });
  useListeners(
    {
      click(event) {
        const { down, wasLong } = press.current;
        // Once one is chosen, a finger chooses others anywhere on them.
        const isTap = down?.pointerType === 'touch' && event.detail > 0 && chosen.size > 0 && !wasLong;
        const place = event.shiftKey || isTap ? placeAround(event.target) : null;
        const isChoice =
          place !== null && canChoose(place) && (event.target as Element).closest('input, .menu-button') === null;
        if (isChoice) tools.choose(place, event.shiftKey);
        // The finger that opened the menu does not open the item as well.
        if (!isChoice && !wasLong) return;
        press.current.wasLong = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
    true,
  );

  const name = open === null ? '' : namesOf(open.items);
  return (
    <context.Provider value={tools}>
      {children}
      <p class="unseen" role="status">
        {chosen.size > 0 && chosenWords(chosen.size)}
      </p>
      {chosen.size > 0 && <ChosenBar onClear={() => setChosen(new Map())} />}
      {open !== null && (
        <Floating
          key={open.action?.name}
          at={open.at}
          panel={open.action === null ? null : open.action.label}
          label={name}
          onClose={close}
        >
          {open.action?.Panel === undefined ? (
            <Menu
              label={name}
              actions={actionsFor(open.items)}
              onChoose={(action) => tools.begin(action, open.items, open.at)}
            />
          ) : (
            <open.action.Panel items={open.items} close={close} />
          )}
        </Floating>
      )}
    </context.Provider>
  );
}

const namesOf = (items: readonly Item[]): string =>
  items.length === 1 ? nameOf(items[0]?.title ?? null, items[0]?.url ?? null) : chosenWords(items.length);

/** What stands alone, as in the reading view, is not one of several. */
const canChoose = (place: Element): boolean => place.matches('.row, .result');

/** The place in the whole list, from 0 on; NaN in a list that has no places. */
function rowOf(place: HTMLElement): number {
  return Number(place.ariaPosInSet ?? undefined) - 1;
}

export function spotOf(place: Element): Spot {
  const { left, top, bottom } = (place.querySelector('h1, h2, h3') ?? place).getBoundingClientRect();
  return { left, top, bottom };
}

/** What can be done with all that is chosen. */
function ChosenBar({ onClear }: { onClear: () => void }): JSX.Element {
  const { chosen, begin } = useTools();
  const items = [...chosen.values()].map(latest);
  return (
    <section class="bulk" aria-label="With all that is chosen">
      <span>{chosenWords(chosen.size)}</span>
      {itemActions
        .filter(({ many, isFor }) => many === true && (isFor === undefined || items.some(isFor)))
        .map((action) => (
          <Do label={action.label} run={(button) => begin(action, items, spotOf(button))} />
        ))}
      <Do label="Choose none of them" run={onClear}>
        <Icon name="close" />
      </Do>
    </section>
  );
}

/** The box before an item, which chooses it. */
export function ChooseBox({ item }: { item: Item }): JSX.Element {
  const { chosen, choose } = useTools();
  return (
    <input
      type="checkbox"
      class="choose"
      aria-label={text.named('Choose', nameOf(item.title, item.url))}
      checked={chosen.has(item.id)}
      onClick={(event) => {
        const place = placeAround(event.currentTarget);
        if (place !== null) choose(place, event.shiftKey);
      }}
    />
  );
}

/** The button that opens the menu of the item around it. */
export function MenuButton({ item }: { item: Item }): JSX.Element {
  const { openMenu } = useTools();
  const open = (button: Element): void => {
    const place = placeAround(button);
    if (place !== null) openMenu(place, spotOf(button));
  };
  return (
    <Do class="plain menu-button" aria-haspopup="menu" label="Menu" of={nameOf(item.title, item.url)} run={open}>
      <Icon name="more" />
    </Do>
  );
}
