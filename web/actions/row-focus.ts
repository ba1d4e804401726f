import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const ticks = (box: Element | null): HTMLElement[] => [...(box?.querySelectorAll<HTMLElement>('.tick') ?? [])];

/** The arrow keys go from one thing to do to the next, over groups; Delete dismisses the one that has the focus. */
export function moveFocus(event: KeyboardEvent & { currentTarget: Element }): void {
  const row = (event.target as Element).closest('.action');
  if (row === null || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === 'Delete') row.querySelector<HTMLElement>('.dismiss')?.click();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const all = ticks(event.currentTarget);
  const at = all.findIndex((tick) => row.contains(tick));
  all[at + step]?.focus();
}

/**
 * When the row that has the focus goes away, because it was done, the focus goes to the row that takes its place. Else whoever uses the
 * keyboard would begin again at the top.
 */
export function useKeptFocus(list: unknown): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement | null>(null);
  const place = useRef(-1);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    if (place.current !== -1 && document.activeElement === document.body) {
      const all = ticks(element);
      all[Math.min(place.current, all.length - 1)]?.focus();
    }
    const remember = (): void => {
      const row = document.activeElement?.closest('.action') ?? null;
      place.current = row === null ? -1 : ticks(element).findIndex((tick) => row.contains(tick));
    };
    const forget = (): void => {
      place.current = -1;
    };
    element.addEventListener('focusin', remember);
    // A press of the mouse elsewhere leaves the list for good.
    document.addEventListener('pointerdown', forget, true);
    return () => {
      element.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', forget, true);
    };
  }, [list]);
  return box;
}
