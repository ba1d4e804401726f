import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Box, useClosing, Field, Form } from '../parts/form.tsx';
import { CompletedField } from '../parts/completed-field.tsx';
import { Do, useWrite } from '../parts/writing.tsx';
import { ChosenTag, Icon, Waiting } from '../parts/elements.tsx';
import { plainPassage } from '../reading/source.ts';
import type {
  List,
  ItemList,
  ItemVersion,
  ManyChanged,
  ReadItem,
  ReadVersion,
  RelatedAnswer,
  TagCount,
} from '../data/records.ts';
import { useAnswer } from '../data/store.ts';
import { text } from '../text.ts';
import { maxLists } from '../views.ts';
import { ActionForm } from './action-form.tsx';
import { nameOf } from './item-facts.ts';
import { type PanelParts, callsFor } from './item.ts';

interface WordsParts extends PanelParts {
  name: 'title' | 'notes';
}

export function TitlePanel(parts: PanelParts): JSX.Element {
  return <Words name="title" {...parts} />;
}

export function NotePanel(parts: PanelParts): JSX.Element {
  return <Words name="notes" {...parts} />;
}

/** A search result does not know what is to be changed. */
function Words({ items: [item], ...parts }: WordsParts): JSX.Element {
  const isKnown = item?.notes !== undefined;
  const { answer, error } = useAnswer<ReadItem>('read_item', isKnown ? null : { id: item?.id });
  const whole = isKnown ? item : answer;
  if (whole === undefined) return <Waiting error={error} />;
  return <WordsForm items={[whole]} {...parts} />;
}

function WordsForm({ name, items: [item], close }: WordsParts): JSX.Element {
  const id = item?.id ?? '';
  // As the person saw it first: it may change meanwhile.
  const [before] = useState(item?.[name] ?? '');
  return (
    <Form
      name={`${name} of ${id}`}
      first={{ words: before }}
      fields={(bind) =>
        name === 'title' ? (
          <Field
            label={text.items.fields.title}
            maxlength={500}
            placeholder="The title of the page"
            {...bind('words')}
          />
        ) : (
          <Field label={text.items.fields.notes} rows={6} maxlength={10_000} {...bind('words')} />
        )
      }
      send={({ words }) => {
        const input = { id, [name]: words.trim(), before: { [name]: before } };
        const isSame = words.trim() === before.trim();
        return isSame ? undefined : ['edit_item', input, name === 'title' ? 'Title changed.' : 'Note kept.'];
      }}
      onDone={close}
      isKeptOnClose
    />
  );
}

/** The tags that all of the items have. */
export function TagsPanel({ items, close }: PanelParts): JSX.Element {
  const { answer: known } = useAnswer<List<TagCount>>('list_tags', { limit: 1_000 });
  const before = (items[0]?.tags ?? []).filter((tag) => items.every(({ tags }) => tags.includes(tag)));
  const [{ tags, typed }, setDraft] = useClosing(
    `tags ${items.map(({ id }) => id).join(' ')}`,
    { tags: before, typed: '' },
    (draft) => {
      const next = withTag(draft.tags, draft.typed);
      const addTags = next.filter((tag) => !before.includes(tag));
      const removeTags = before.filter((tag) => !next.includes(tag));
      if (addTags.length + removeTags.length === 0) return undefined;
      const [one] = items;
      if (items.length === 1)
        return ['edit_item', { id: one?.id, tags: next, before: { tags: before } }, 'Tags changed.'];
      const input = callsFor(items, { addTags, removeTags });
      return ['update_contents', input, wordsOfTagging];
    },
  );
  const take = (tag: string): void => setDraft({ tags: withTag(tags, tag), typed: '' });
  const options = (known?.items ?? [])
    .filter(({ tag }) => !tags.includes(tag))
    .map(({ tag }) => ({ value: tag, shown: tag }));
  return (
    <form
      class="tags-panel"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() === '') close();
        else take(typed);
      }}
    >
      {tags.length > 0 && (
        <p class="tags">
          {tags.map((tag) => (
            <ChosenTag tag={tag} onRemove={() => setDraft({ tags: tags.filter((one) => one !== tag), typed })} />
          ))}
        </p>
      )}
      <CompletedField
        label={items.length === 1 ? 'Tags' : `Tags of all ${text.number(items.length)}`}
        isListed
        typed={typed}
        options={options}
        onType={(next) => (next.endsWith(',') ? take(next.slice(0, -1)) : setDraft({ tags, typed: next }))}
        onTake={take}
        onBack={() => setDraft({ tags: tags.slice(0, -1), typed })}
      />
      <button class="button">{typed.trim() === '' ? 'Done' : 'Add'}</button>
    </form>
  );
}

function wordsOfTagging({ items = [] }: Partial<ManyChanged>): string {
  return items.find(({ outcome }) => outcome === 'refused')?.message ?? 'Tags changed.';
}

function withTag(tags: readonly string[], typed: string): string[] {
  const tag = typed.trim().slice(0, 100);
  const isThere = tags.some((one) => one.toLowerCase() === tag.toLowerCase());
  return tag === '' || isThere ? [...tags] : [...tags, tag];
}

export function TodoPanel({ items: [item], close }: PanelParts): JSX.Element {
  return <ActionForm contentId={item?.id ?? ''} onDone={close} />;
}

export function RelatedPanel({ items: [item], close }: PanelParts): JSX.Element {
  const { answer, error } = useAnswer<RelatedAnswer>('related', { id: item?.id, limit: 6 });
  if (answer === undefined) return <Waiting error={error} />;
  if (answer.items.length === 0) return <p class="soft">Nothing else that you saved is close to it.</p>;
  return (
    <ul class="related">
      {answer.items.map(({ id, title, url, isLinked, why }) => (
        <li key={id}>
          <a href={`/app/read/${id}`} onClick={close}>
            {nameOf(title, url)}
          </a>
          <p class="soft" dir="auto">
            {isLinked && `Linked. `}
            {plainPassage(why[0]?.there.text ?? '').slice(0, 160)}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** The texts from before the page was fetched again, and what has changed since. */
export function VersionsPanel({ items: [item], close }: PanelParts): JSX.Element {
  const { answer, error } = useAnswer<{ items: ItemVersion[] }>('list_versions', { id: item?.id });
  const [chosen, choose] = useState<number>();
  const input = chosen === undefined ? null : { id: item?.id, version: chosen };
  const { answer: read } = useAnswer<ReadVersion>('get_version', input);
  const write = useWrite();
  if (answer === undefined) return <Waiting error={error} />;
  if (answer.items.length < 2)
    return <p class="soft">There is no earlier text: fetching the page again has brought no other one yet.</p>;
  return (
    <div class="versions">
      {answer.items.map(({ version, createdAt, wordCount, isShown }) => (
        <label class="choice" key={version}>
          <input
            type="radio"
            name="version"
            checked={chosen === undefined ? isShown : version === chosen}
            onChange={() => choose(version)}
          />
          {version}: {text.minute(createdAt)}, {text.counted(wordCount, 'word')} {isShown && <Icon name="tick" />}
        </label>
      ))}
      {read !== undefined && read.isShown && <p class="soft">This is the text that is shown.</p>}
      {read !== undefined && !read.isShown && (
        <>
          <p class="soft">
            Between this text and the one that is shown: {text.counted(read.added, 'paragraph')} added,{' '}
            {text.number(read.removed)} taken away.
          </p>
          {read.changes.map(({ change, text: paragraph }) =>
            change === 'added' ? <ins dir="auto">{paragraph}</ins> : <del dir="auto">{paragraph}</del>,
          )}
          <Do
            class="button"
            label="Show this text"
            run={async () => {
              await write('restore_version', input ?? {}, 'The text is shown as soon as it is ready.');
              close();
            }}
          />
        </>
      )}
    </div>
  );
}

/** The lists that are filled by hand: what is chosen is put into them, or taken out. */
export function ListsPanel({ items, close }: PanelParts): JSX.Element {
  const { answer, error } = useAnswer<List<ItemList>>('list_lists', { limit: maxLists });
  const [item] = items;
  const { answer: whole } = useAnswer<ReadItem>('read_item', items.length === 1 ? { id: item?.id } : null);
  const write = useWrite();
  const [name, setName] = useState('');
  if (answer === undefined || (items.length === 1 && whole === undefined)) return <Waiting error={error} />;
  const inside = new Set(whole?.lists?.map(({ id }) => id));
  const change = (id: string, isIn: boolean): Promise<unknown> =>
    write(isIn ? 'take_from_list' : 'put_in_list', callsFor(items, { id }, 'contentIds'), 'Lists changed.');
  const make = async (): Promise<void> => {
    if (name.trim() === '') return close();
    const made = await write<ItemList>('add_list', { name: name.trim() });
    if (made?.id !== undefined) await change(made.id, false);
    if (made !== null) setName('');
  };
  return (
    <form class="lists-panel" onSubmit={(event) => (event.preventDefault(), void make())}>
      <ul>
        {answer.items
          .filter(({ query }) => query === null)
          .map(({ id, name: shown, icon }) => (
            <li key={id}>
              <Box
                label={icon === null ? shown : `${icon} ${shown}`}
                checked={inside.has(id)}
                onChange={() => void change(id, inside.has(id))}
              />
            </li>
          ))}
      </ul>
      <Field label="Make a list" maxlength={100} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      <button class="button">{name.trim() === '' ? 'Done' : 'Add'}</button>
    </form>
  );
}
