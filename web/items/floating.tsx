import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useListeners } from '../parts/elements.tsx';
import { text } from '../text.ts';
import type { ItemAction } from './item-actions.ts';

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
  const press = ({ target }: Event): void => {
    if (box.current?.contains(target as Node) === false) onClose();
  };
  useListeners({ pointerdown: press }, true);
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

interface MenuParts {
  label: string;
  actions: readonly ItemAction[];
  onChoose: (action: ItemAction) => void;
}

/** What can be done with an item; the arrow keys and the key of each lead through it. */
export function Menu({ label, actions, onChoose }: MenuParts): JSX.Element {
  const move = (event: KeyboardEvent & { currentTarget: Element }): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    const action = actions.find(({ key }) => key === event.key);
    if (next !== undefined) all.at(next % all.length)?.focus();
    else if (action !== undefined) onChoose(action);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div role="menu" aria-label={label} onKeyDown={move}>
      {actions.map((action) => (
        <button type="button" role="menuitem" tabindex={-1} class={action.name} onClick={() => onChoose(action)}>
          {action.label}
          <kbd aria-hidden="true">{text.keys.names[action.key] ?? action.key}</kbd>
        </button>
      ))}
    </div>
  );
}
