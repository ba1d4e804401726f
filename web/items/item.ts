import type { Item } from '../data/records.ts';

/** What a panel beside items is given. */
export interface PanelParts {
  items: readonly Item[];
  close: () => void;
}

const shown = new WeakMap<Element, Item>();

/** Makes an element the place of an item, where its menu, its keys and the choosing of several find it. */
export function itemProps(item: Item | undefined): { 'data-item'?: string; ref: (element: Element | null) => void } {
  return {
    ...(item !== undefined && { 'data-item': item.id }),
    ref: (element) => {
      if (element !== null && item !== undefined) shown.set(element, item);
    },
  };
}

/** Items that one call takes. */
const atOnce = 100;

/** The inputs of calls about items, in parts of which each fits in a call. @param more what each says @param name of the ids in it */
export function callsFor(items: readonly Item[], more: object = {}, name = 'ids'): object[] {
  return Array.from({ length: Math.ceil(items.length / atOnce) }, (_, part) => ({
    [name]: items.slice(part * atOnce, (part + 1) * atOnce).map(({ id }) => id),
    ...more,
  }));
}

export function placeAround(element: unknown): HTMLElement | null {
  return element instanceof Element ? element.closest<HTMLElement>('[data-item]') : null;
}

export function itemAt(place: Element | null): Item | undefined {
  return place === null ? undefined : shown.get(place);
}

/** The item as it is shown now: something may have changed it since it was chosen. */
export function latest(item: Item): Item {
  return itemAt(document.querySelector(`[data-item="${item.id}"]`)) ?? item;
}
