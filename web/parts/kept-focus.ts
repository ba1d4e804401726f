import { useCallback, useRef } from 'preact/hooks';

/**
 * When the row that has the focus goes away, the focus goes to the row that takes its place. Else whoever uses the keyboard would
 * begin again at the top.
 * @param targets selects in each row what takes the focus
 * @returns the ref of the list
 */
export function useKeptFocus(targets: string, rows: string): (list: HTMLElement | null) => void {
  const end = useRef<() => void>(undefined);
  return useCallback(
    (list) => {
      end.current?.();
      end.current = undefined;
      if (list === null) return;
      let place = -1;
      const all = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>(targets)];
      const remember = (): void => {
        const row = document.activeElement?.closest(rows) ?? null;
        place = row === null ? -1 : all().findIndex((one) => row.contains(one));
      };
      // A press of the mouse elsewhere leaves the list for good.
      const forget = ({ target }: Event): void => {
        if ((target as Element).closest('.floating, .toasts') === null) place = -1;
      };
      const changed = new MutationObserver(() => {
        if (place === -1 || document.activeElement !== document.body) return;
        const left = all();
        left[Math.min(place, left.length - 1)]?.focus();
      });
      changed.observe(list, { childList: true, subtree: true });
      list.addEventListener('focusin', remember);
      document.addEventListener('pointerdown', forget, true);
      end.current = () => {
        changed.disconnect();
        list.removeEventListener('focusin', remember);
        document.removeEventListener('pointerdown', forget, true);
      };
    },
    [targets, rows],
  );
}
