import type { JSX } from 'preact';
import { ActionRow } from '../actions/action-row.tsx';
import { moveFocus } from '../actions/move-focus.ts';
import type { ActionItem } from '../records.ts';
import { text } from '../text.ts';

/** What the item asks to do. */
export function ItemActions({ actions }: { actions: readonly ActionItem[] }): JSX.Element {
  return (
    <section class="item-actions">
      <h2>{text.reading.actions}</h2>
      <ul class="actions" onKeyDown={moveFocus}>
        {actions.map((action) => (
          <ActionRow key={action.id} action={action} by="item" />
        ))}
      </ul>
    </section>
  );
}
