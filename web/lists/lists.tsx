import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { bindTo, useDraft } from '../kept/use-draft.ts';
import { Facts, SureButton, Waiting } from '../parts/elements.tsx';
import { useWrite } from '../parts/use-write.ts';
import type { List, ItemList } from '../records.ts';
import { useAnswer } from '../store.ts';
import { text } from '../text.ts';
import { maxLists } from '../views.ts';

/** The lists of a person: made, renamed, put in order and deleted here. */
export function Lists(): JSX.Element {
  const { answer, error } = useAnswer<List<ItemList>>('list_lists', { limit: maxLists });
  return (
    <>
      <h1>{text.views.lists}</h1>
      <p class="intro soft">{text.lists.intro}</p>
      {answer === undefined ? (
        <Waiting error={error} />
      ) : (
        <ul class="listed">
          {answer.items.map((list, place) => (
            <ListRow key={list.id} list={list} place={place} />
          ))}
        </ul>
      )}
      <ListForm name={text.lists.add} />
    </>
  );
}

function ListRow({ list, place }: { list: ItemList; place: number }): JSX.Element {
  const write = useWrite();
  const [isEdited, setEdited] = useState(false);
  const { id, name, icon, query, items } = list;
  if (isEdited)
    return (
      <li>
        <ListForm name={text.lists.edit(name)} list={list} onDone={() => setEdited(false)} />
      </li>
    );
  return (
    <li class="goal">
      <h2 dir="auto">
        <a href={`/?list=${id}`}>{icon === null ? name : `${icon} ${name}`}</a>
      </h2>
      <Facts of={[text.lists.kept(items), query]} />
      <p class="do">
        <button type="button" aria-label={text.lists.edit(name)} onClick={() => setEdited(true)}>
          {text.goals.editShort}
        </button>
        {place > 0 && (
          <button
            type="button"
            aria-label={text.lists.up(name)}
            onClick={() => void write({ operation: 'update_list', input: { id, position: place - 1 } })}
          >
            {text.lists.upShort}
          </button>
        )}
        <SureButton
          label={text.lists.removeShort}
          name={text.lists.remove(name)}
          onSure={() => void write({ operation: 'delete_list', input: { id }, done: text.lists.removed })}
        />
      </p>
    </li>
  );
}

interface FormParts {
  name: string;
  /** Changes this one; else one is made. */
  list?: ItemList;
  /** What the list finds, when one begins with a search. */
  query?: string;
  onDone?: () => void;
}

export function ListForm({ name: label, list, query: found = '', onDone }: FormParts): JSX.Element {
  const write = useWrite();
  const [draft, setDraft, forget] = useDraft(`list ${list?.id ?? found}`, {
    name: list?.name ?? '',
    icon: list?.icon ?? '',
    query: list?.query ?? found,
  });
  const field = bindTo(draft, setDraft);
  const [name, icon, query] = [draft.name.trim(), draft.icon.trim(), draft.query.trim()];
  const keep = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (name === '') return;
    const asked = query !== '' && { query };
    const kept = await write(
      list === undefined
        ? { operation: 'add_list', input: { name, ...(icon !== '' && { icon }), ...asked }, done: text.lists.added }
        : { operation: 'update_list', input: { id: list.id, name, icon, ...asked }, done: text.lists.changed },
    );
    // What was refused stays.
    if (kept === null) return;
    forget();
    onDone?.();
  };
  return (
    <form class="goal-form" aria-label={label} onSubmit={(event) => void keep(event)}>
      <label class="field">
        <span>{text.lists.name}</span>
        <input type="text" required dir="auto" maxlength={100} {...field('name')} />
      </label>
      <label class="field">
        <span>{text.lists.icon}</span>
        <input type="text" maxlength={32} size={4} placeholder="📚" {...field('icon')} />
      </label>
      {list?.query !== null && (
        <label class="field">
          <span>{text.lists.query}</span>
          <input type="text" dir="auto" maxlength={1_000} placeholder={text.lists.queryExample} {...field('query')} />
        </label>
      )}
      <p class="buttons">
        <button class="button">{list === undefined ? text.lists.add : text.goals.keep}</button>
        {onDone !== undefined && (
          <button type="button" class="button quiet" onClick={() => (forget(), onDone())}>
            {text.goals.cancel}
          </button>
        )}
      </p>
    </form>
  );
}
