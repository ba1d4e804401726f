import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { nameOf } from '../items/item-facts.ts';
import { Do, useTell, useWrite } from '../parts/writing.tsx';
import type { ReadItem } from '../data/records.ts';
import { useAnswer, useConnection } from '../data/store.ts';
import { text } from '../text.ts';
import type { Outgoing } from './outbox.ts';

type Fields = Partial<Record<keyof typeof text.items.fields, string | string[]>>;

/** Asks what to keep of an item that somebody else has changed since the person did. */
export function Conflicts(): JSX.Element | null {
  // Closed without a choice, or the item could not be read: asked about again with the next page.
  const [later, setLater] = useState<readonly string[]>([]);
  const first = useConnection().conflicts.find(([key]) => !later.includes(key));
  if (first === undefined) return null;
  const [name, write] = first;
  return <Conflict key={name} name={name} write={write} close={() => setLater([...later, name])} />;
}

interface ConflictParts {
  name: string;
  write: Outgoing;
  close: () => void;
}

function Conflict({ name, write: mine, close }: ConflictParts): JSX.Element | null {
  const { outbox } = useConnection();
  const write = useWrite();
  const tell = useTell();
  const { id, before, ...own } = mine.input as Fields & { id: string; before: Fields };
  const { answer: now, error, isLoading } = useAnswer<ReadItem>('read_item', { id });
  useEffect(() => {
    // Without a connection it is asked for again.
    if (error === undefined || isLoading || error.status === 0) return;
    if (error.status !== 404) return close();
    outbox.settle(name);
    tell({ message: 'An item that you changed was deleted elsewhere. Your change of it is gone.' });
  }, [error, isLoading]);
  if (now === undefined || error !== undefined || isLoading) return null;
  const fields = Object.keys(before) as (keyof Fields)[];
  const settle = (isMine: boolean): void => {
    outbox.settle(name);
    const seen = Object.fromEntries(fields.map((field) => [field, now[field] ?? '']));
    if (isMine) void write(mine.operation, { id, ...own, before: seen }, 'Yours is kept.');
  };
  return (
    <dialog ref={(dialog) => dialog?.showModal()} aria-labelledby="conflict" onClose={close}>
      <h2 id="conflict">“{nameOf(now.title, now.url)}” was changed elsewhere since you changed it here</h2>
      {fields.map((field) => (
        <dl>
          <dt>{text.items.fields[field]} there now</dt>
          <dd dir="auto">{shown(now[field])}</dd>
          <dt>Yours</dt>
          <dd dir="auto">{shown(own[field])}</dd>
        </dl>
      ))}
      <p class="buttons">
        <Do class="button" label="Use mine" run={() => settle(true)} />
        <Do class="button quiet" label="Keep the other version" run={() => settle(false)} />
      </p>
    </dialog>
  );
}

function shown(value: string | readonly string[] | null | undefined): string {
  return [value ?? []].flat().filter(Boolean).join(', ') || '(empty)';
}
