import type { JSX } from 'preact';
import { text } from '../text.ts';
import type { ItemAction } from './item-actions.ts';

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
          {text.items.actions[action.name]}
          <kbd aria-hidden="true">{text.keys.names[action.key] ?? action.key}</kbd>
        </button>
      ))}
    </div>
  );
}
