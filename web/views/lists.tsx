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
      <h1>{text.views.lists}</h1>
      <p class="intro soft">{text.lists.intro}</p>
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
          <Do label={text.edit} of={name} run={() => setEdited(true)} />
          {place > 0 && (
            <Do
              label={text.lists.up}
              of={name}
              run={{ operation: 'update_list', input: { id, position: place - 1 } }}
            />
          )}
          <Do
            label={text.remove}
            of={name}
            sure={text.sure}
            run={{ operation: 'delete_list', input: { id }, done: text.lists.removed }}
          />
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

export function ListForm({ label = text.lists.add, list, query: found = '', onDone }: ListFormParts): JSX.Element {
  return (
    <Form
      label={list === undefined ? label : text.named(text.edit, list.name)}
      name={`list ${list?.id ?? found}`}
      first={{ name: list?.name ?? '', icon: list?.icon ?? '', query: list?.query ?? found }}
      fields={(bind) => (
        <>
          <Field label={text.lists.name} required maxlength={100} {...bind('name')} />
          <Field label={text.lists.icon} maxlength={32} size={4} placeholder="📚" {...bind('icon')} />
          {list?.query !== null && (
            <Field
              label={text.lists.query}
              maxlength={1_000}
              placeholder={text.lists.queryExample}
              {...bind('query')}
            />
          )}
        </>
      )}
      button={list === undefined ? text.lists.add : text.keep}
      send={(draft) => {
        const [name, icon, query] = [draft.name.trim(), draft.icon.trim(), draft.query.trim()];
        const asked = query !== '' && { query };
        if (list !== undefined)
          return { operation: 'update_list', input: { id: list.id, name, icon, ...asked }, done: text.changed };
        const input = { name, ...(icon !== '' && { icon }), ...asked };
        return name === '' ? undefined : { operation: 'add_list', input, done: text.lists.added };
      }}
      onDone={onDone}
    />
  );
}
