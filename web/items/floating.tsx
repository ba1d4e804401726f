import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** What something stands beside, in pixels of the screen. */
export interface Spot {
  left: number;
  top: number;
  bottom: number;
}

interface FloatingParts {
  at: Spot;
  /** The panel of an action; null: a menu. */
  panel: string | null;
  label: string;
  onClose: () => void;
  children: ComponentChildren;
}

const edge = 8;
/** What takes the focus, the first that there is. */
const firsts = ['[role=menuitem]', 'input, textarea', 'a, button'];

/** A box beside a place of the screen, on a phone at its bottom. A press elsewhere, Escape, and the focus that leaves it close it. */
export function Floating({ at, panel, label, onClose, children }: FloatingParts): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const end = useRef(onClose);
  end.current = onClose;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const place = (): void => {
      const { width, height } = element.getBoundingClientRect();
      const below = at.bottom + edge / 2;
      const fits = below + height + edge <= innerHeight;
      element.style.left = `${Math.max(edge, Math.min(at.left, innerWidth - width - edge))}px`;
      element.style.top = `${Math.max(edge, fits ? below : Math.min(at.top, innerHeight) - height - edge / 2)}px`;
    };
    const settle = (): void => {
      place();
      // What a panel shows may have to be asked for.
      if (document.activeElement !== element) return;
      const first = firsts.map((wanted) => element.querySelector<HTMLElement>(wanted));
      first.find((one) => one !== null)?.focus();
    };
    // Above everything, and beside no other box.
    if (!element.matches(':popover-open')) element.showPopover();
    element.focus();
    settle();
    const resized = new ResizeObserver(settle);
    resized.observe(element);
    return () => resized.disconnect();
  }, [at]);
  useEffect(() => {
    const press = (event: PointerEvent): void => {
      if (box.current?.contains(event.target as Node) === false) end.current();
    };
    document.addEventListener('pointerdown', press, true);
    return () => document.removeEventListener('pointerdown', press, true);
  }, []);
  return (
    <div
      ref={box}
      class={`floating ${panel === null ? '' : 'panel'}`}
      popover="manual"
      role="dialog"
      tabindex={-1}
      aria-label={panel === null ? label : `${panel}: ${label}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && box.current?.contains(relatedTarget) === false) onClose();
      }}
    >
      <p class="about soft">{label}</p>
      {children}
    </div>
  );
}
