import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { itemActions } from '../items/item-actions.ts';
import { itemProps } from '../items/item.ts';
import { MenuButton, spotOf, useTools } from '../items/item-tools.tsx';
import { Do, useWrite, type Write } from '../parts/writing.tsx';
import { Icon, Out, Waiting } from '../parts/elements.tsx';
import { Field, useDraft } from '../parts/form.tsx';
import { ItemFacts } from '../parts/pictures.tsx';
import type { Highlight, List, ReadItem } from '../data/records.ts';
import { useAnswer, useStore } from '../data/store.ts';
import { text } from '../text.ts';
import { TypeChoices } from '../settings/appearance.tsx';
import { titleOf } from '../views.ts';
import { ItemActions } from '../items/action-row.tsx';
import { Aloud } from './aloud.tsx';
import { plain } from './inline.ts';
import { marksOf } from './source.ts';
import { Marking } from './marking.tsx';
import { Outline, Player } from './margin-notes.tsx';
import { Transcript } from './transcript.tsx';
import { canRetry, headingOf } from '../items/item-facts.ts';

/** Highlights that are shown in the text. */
const maxHighlights = 100;
/** Until a highlight that was not looked for is asked about again. */
const askAgainMs = 1_000;

/** A saved item to read: what it says, and what was made of it. */
export function Reading({ id }: { id: string }): JSX.Element {
  const { answer: item, error } = useAnswer<ReadItem>('read_item', { id });
  const asked = { contentId: id, limit: maxHighlights };
  const { answer: listed } = useAnswer<List<Highlight>>('list_highlights', asked);
  const store = useStore();
  useEffect(() => {
    // One that came back by an undo is looked for in the text first, which nobody tells the page of.
    if (listed?.items.some(({ place }) => place === 'unread') !== true) return undefined;
    const timer = setTimeout(() => void store.load('list_highlights', asked, true), askAgainMs);
    return () => clearTimeout(timer);
  }, [listed]);
  if (error?.status === 404)
    return <p class="empty">It is not here any more. What was deleted is in the trash for 30 days.</p>;
  if (item === undefined) return <Waiting error={error} />;
  return <Item item={item} highlights={listed?.items ?? item.highlights ?? []} />;
}

function Item({ item, highlights }: { item: ReadItem; highlights: readonly Highlight[] }): JSX.Element {
  const marks = useMemo(() => marksOf(item, highlights), [item, highlights]);
  useEffect(() => {
    document.title = titleOf({ name: 'reading', id: item.id }, item);
  }, [item.title]);
  const isRead = item.transcript !== undefined && item.transcript !== '';
  return (
    <article class="item">
      <Head item={item} />
      <Player item={item} />
      {item.failure !== undefined && (
        <div class="problem">
          <p>{text.problems.words(item.failure.message)}</p>
          {canRetry(item) && (
            <p class="do">
              <ItemButton name="retry" item={item} label={item.status === 'failed' ? 'Try again' : 'Try now'} />
            </p>
          )}
          {canRetry(item) && item.url !== null && <GiveText url={item.url} />}
        </div>
      )}
      {item.warnings.map(({ code, message }) => (
        <p class="warning">
          {text.problems.words(message)} {code === 'text_left_out' && <SavedCopy id={item.id} />}
        </p>
      ))}
      {item.summary !== null && (
        <p class="lead" dir="auto">
          {plain(item.summary)}
        </p>
      )}
      {item.notes !== null && (
        <section class="own">
          <h2>Your notes</h2>
          <p dir="auto">{item.notes}</p>
          <p class="do">
            <ItemButton name="note" item={item} label="Edit" />
          </p>
        </section>
      )}
      {item.actions.length > 0 && <ItemActions actions={item.actions} />}
      {item.outline.length > 1 && <Outline sections={item.outline} />}
      {isRead ? (
        <Marking contentId={item.id} highlights={highlights}>
          <Transcript item={item} marks={marks} />
        </Marking>
      ) : (
        <p class="soft">
          {item.progress === undefined
            ? 'There is no text yet.'
            : text.library.progress(item.status, item.progress.stage, item.url)}
        </p>
      )}
    </article>
  );
}

/** What one wants most while reading; the menu has the rest. */
const shownActions = ['archive', 'later', 'inbox', 'tags', 'note', 'todo', 'markdown'] as const;

interface ItemButtonParts {
  name: (typeof itemActions)[number]['name'];
  item: ReadItem;
  label?: string;
}

function ItemButton({ name, item, label }: ItemButtonParts): JSX.Element | null {
  const { begin } = useTools();
  const action = itemActions.find((one) => one.name === name);
  if (action === undefined || action.isFor?.(item) === false) return null;
  return <Do label={label ?? action.label} run={(button) => begin(action, [item], spotOf(button))} />;
}

/** Tags that may fit, in grey: pressed, they are the item's. */
function ProposedTags({ item }: { item: ReadItem }): JSX.Element {
  const change = (changes: object): Write => ['update_contents', { ids: [item.id], ...changes }, 'Tags changed.'];
  return (
    <>
      {item.proposedTags?.map(({ tag, reason }) => (
        <span class="proposed" title={reason}>
          <Do class="tag" label={`${tag}: take this tag, ${reason}`} run={change({ addTags: [tag] })}>
            {tag}
          </Do>
          <Do class="plain" label={`Do not propose ${tag}`} run={change({ rejectTags: [tag] })}>
            <Icon name="close" />
          </Do>
        </span>
      ))}
    </>
  );
}

function SavedCopy({ id }: { id: string }): JSX.Element {
  return (
    <a href={`/app/original/${id}`} target="_blank" rel="noopener noreferrer">
      Saved copy
    </a>
  );
}

function Head({ item }: { item: ReadItem }): JSX.Element {
  return (
    <header class="head" {...itemProps(item)}>
      <ItemFacts item={item} isRead />
      <h1 dir="auto">{headingOf(item)}</h1>
      <p class="below">
        <Out to={item.url}>Original</Out>
        {item.url !== null && item.transcript !== undefined && <SavedCopy id={item.id} />}
        {item.archivedCopy !== undefined && (
          <Out to={item.archivedCopy.url}>Archived copy of {text.day(item.archivedCopy.date)}</Out>
        )}
        {item.tags.map((tag) => (
          <a class="tag" href={`/?tag=${encodeURIComponent(tag)}`}>
            {tag}
          </a>
        ))}
        <ProposedTags item={item} />
        {item.lists?.map(({ id, name }) => (
          <a class="tag" href={`/?list=${id}`}>
            <Icon name="lists" />
            {name}
          </a>
        ))}
        <span class="soft">{text.saved(text.day(item.createdAt))}</span>
      </p>
      <div class="item-do">
        {shownActions.map((name) => (
          <ItemButton name={name} item={item} />
        ))}
        {item.transcript !== undefined && <Aloud language={item.language} />}
        <button type="button" popovertarget="type">
          Type
        </button>
        <MenuButton item={item} />
      </div>
      <div id="type" class="type-panel settings" popover="auto">
        <TypeChoices />
      </div>
    </header>
  );
}

/** Files that hold what a page says. */
const readable = /\.(?:html?|xhtml|txt|md|markdown)$/i;

/** Takes the text of a page that the server could not read: pasted, or as a file that is dropped. It is read in place of the page. */
function GiveText({ url }: { url: string }): JSX.Element {
  const write = useWrite();
  const [typed, setTyped, forget] = useDraft(`text ${url}`, '');
  const [problem, setProblem] = useState('');
  const give = async (content: { text: string } | { html: string }): Promise<void> => {
    const saved = await write('save_content', { url, ...content }, 'It is read now.');
    if (saved !== null) forget();
  };
  const drop = async (event: DragEvent): Promise<void> => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    setProblem(
      readable.test(file.name)
        ? ''
        : 'Drop an HTML file or a text. Other files are saved as items of their own, in the save box.',
    );
    if (!readable.test(file.name)) return;
    const content = await file.text();
    await give(/html?$/i.test(file.name) ? { html: content } : { text: content });
  };
  return (
    <form
      class="give-text"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => void drop(event)}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') void give({ text: typed });
      }}
    >
      <Field
        label="Or paste its text here, or drop the page that you saved as a file"
        rows={4}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <p role="alert">{problem}</p>
      <button class="button quiet">Read this text</button>
    </form>
  );
}
