import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Do } from '../parts/writing.tsx';
import { Field, Form } from '../parts/form.tsx';
import { Listed, Thing } from '../parts/things.tsx';
import type { ItemList } from '../data/records.ts';
import { text } from '../text.ts';
import { maxLists } from '../views.ts';

/** The lists of a person: made, renamed, put in order and deleted here. */
export function Lists(): JSX.Element {
  return (
    <>
      <p class="intro soft">Lists that you fill by hand, and lists that fill themselves with what a search finds.</p>
      <Listed<ItemList>
        operation="list_lists"
        inputOf={() => ({ limit: maxLists })}
        draw={(list, place) => <ListRow key={list.id} list={list} place={place} />}
      />
      <ListForm />
    </>
  );
}

function ListRow({ list, place }: { list: ItemList; place: number }): JSX.Element {
  const [isEdited, setEdited] = useState(false);
  const { id, name, icon, query, items } = list;
  if (isEdited)
    return (
      <li>
        <ListForm list={list} onDone={() => setEdited(false)} />
      </li>
    );
  return (
    <Thing
      heading="h2"
      title={<a href={`/?list=${id}`}>{icon === null ? name : `${icon} ${name}`}</a>}
      facts={[text.library.items(items), query]}
      does={
        <>
          <Do label="Edit" of={name} run={() => setEdited(true)} />
          {place > 0 && <Do label="Move up" of={name} run={['update_list', { id, position: place - 1 }]} />}
          <Do label="Delete" of={name} sure="Sure?" run={['delete_list', { id }, 'List deleted. Its items stay.']} />
        </>
      }
    />
  );
}

interface ListFormParts {
  label?: string;
  /** Changes this one; else one is made. */
  list?: ItemList;
  /** What the list finds, when one begins with a search. */
  query?: string;
  onDone?: () => void;
}

export function ListForm({ label = 'Make a list', list, query: found = '', onDone }: ListFormParts): JSX.Element {
  return (
    <Form
      label={list === undefined ? label : text.named('Edit', list.name)}
      name={`list ${list?.id ?? found}`}
      first={{ name: list?.name ?? '', icon: list?.icon ?? '', query: list?.query ?? found }}
      fields={(bind) => (
        <>
          <Field label="Name" required maxlength={100} {...bind('name')} />
          <Field label="Sign" maxlength={32} size={4} placeholder="📚" {...bind('icon')} />
          {list?.query !== null && (
            <Field
              label="What it finds (empty: you put items in by hand)"
              maxlength={1_000}
              placeholder="is:unread type:article -tag:work"
              {...bind('query')}
            />
          )}
        </>
      )}
      button={list === undefined ? 'Make a list' : 'Keep'}
      send={(draft) => {
        const [name, icon, query] = [draft.name.trim(), draft.icon.trim(), draft.query.trim()];
        const asked = query !== '' && { query };
        if (list !== undefined) return ['update_list', { id: list.id, name, icon, ...asked }, 'Changed.'];
        const input = { name, ...(icon !== '' && { icon }), ...asked };
        return name === '' ? undefined : ['add_list', input, 'List made.'];
      }}
      onDone={onDone}
    />
  );
}
