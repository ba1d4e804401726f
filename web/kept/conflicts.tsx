import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { nameOf } from '../library/item-facts.ts';
import { useWrite } from '../parts/use-write.ts';
import type { ReadItem } from '../records.ts';
import { useAnswer, useConnection } from '../store.ts';
import { text } from '../text.ts';
import type { Outgoing } from './outbox.ts';

type Fields = Partial<Record<keyof typeof text.items.fields, string | string[]>>;

/** Asks what to keep of an item that somebody else has changed since the person did. */
export function Conflicts(): JSX.Element | null {
  const [first] = useConnection().conflicts;
  return first === undefined ? null : <Conflict key={first[0]} name={first[0]} write={first[1]} />;
}

function Conflict({ name, write: mine }: { name: string; write: Outgoing }): JSX.Element | null {
  const { outbox } = useConnection();
  const write = useWrite();
  const [isOpen, setOpen] = useState(true);
  const { id, before, ...own } = mine.input as Fields & { id: string; before: Fields };
  const { answer: now, isLoading } = useAnswer<ReadItem>('read_item', { id });
  if (now === undefined || isLoading || !isOpen) return null;
  const fields = Object.keys(before) as (keyof Fields)[];
  const settle = (isMine: boolean): void => {
    outbox.settle(name);
    const seen = Object.fromEntries(fields.map((field) => [field, now[field] ?? '']));
    if (isMine) void write({ operation: mine.operation, input: { id, ...own, before: seen }, done: text.kept.chosen });
  };
  return (
    <dialog ref={(dialog) => dialog?.showModal()} aria-labelledby="conflict" onClose={() => setOpen(false)}>
      <h2 id="conflict">{text.kept.conflict(nameOf(now.title, now.url))}</h2>
      {fields.map((field) => (
        <dl>
          <dt>{text.kept.there(text.items.fields[field])}</dt>
          <dd dir="auto">{shown(now[field])}</dd>
          <dt>{text.kept.mine}</dt>
          <dd dir="auto">{shown(own[field])}</dd>
        </dl>
      ))}
      <p class="buttons">
        <button type="button" class="button" onClick={() => settle(true)}>
          {text.kept.useMine}
        </button>
        <button type="button" class="button quiet" onClick={() => settle(false)}>
          {text.kept.leaveIt}
        </button>
      </p>
    </dialog>
  );
}

function shown(value: string | readonly string[] | null | undefined): string {
  return [value ?? []].flat().filter(Boolean).join(', ') || text.kept.empty;
}
