import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAddress } from '../address.tsx';
import { Do } from '../parts/writing.tsx';
import { Thing } from '../parts/things.tsx';
import type { List, TagCount } from '../data/records.ts';
import { useDesk } from '../save/desk-provider.tsx';
import { whatIs } from '../save/desk.ts';
import { useAnswer } from '../data/store.ts';
import { text } from '../text.ts';
import { everything, filtersOf, libraryAddress } from '../data/questions.ts';
import { Tags } from './rows.tsx';

const emptyShelves = {
  inbox: 'Your inbox is empty. What you save comes here.',
  later: 'Nothing is kept for later. Press l on an item to put it here.',
  archive: 'Nothing is in the archive. Press e on an item to put it here.',
  all: 'Nothing matches these filters.',
};
/** Real pages that everybody may copy. */
const firstPages = [
  {
    title: 'Commonplace book',
    url: 'https://en.wikipedia.org/wiki/Commonplace_book',
    licence: 'CC BY-SA',
  },
  {
    title: 'Replication and Analysis of Ebbinghaus’ Forgetting Curve',
    url: 'https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0120644',
    licence: 'CC BY',
  },
  {
    title: 'Self-Reliance, by Ralph Waldo Emerson',
    url: 'https://en.wikisource.org/wiki/Essays:_First_Series/Self-Reliance',
    licence: 'public domain',
  },
];

/** Stands where nothing is, and says what to do next. */
export function Empty({ says, children }: { says: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p>{says}</p>
      <div class="next">{children}</div>
    </div>
  );
}

const none = { kind: '', state: '', tags: [] };

/** No item is what the search of this address wants. */
export function NothingFound({ query }: { query: URLSearchParams }): JSX.Element {
  const desk = useDesk();
  const [isSaved, setSaved] = useState(false);
  const asked = query.get('q') ?? '';
  const { kind, tags } = filtersOf(query);
  const what = whatIs(asked);
  return (
    <Empty says={`Nothing that you saved has to do with “${asked}”.`}>
      {(kind !== '' || tags.length > 0) && <a href={libraryAddress(query, none)}>Search without the filters</a>}
      {/["-]|\w:/.test(asked) && what.kind !== 'pages' && (
        <p class="soft">
          Quotation marks, a minus and filters such as site: leave out what does not fit. Try it without them.
        </p>
      )}
      {what.kind === 'pages' ? (
        <Do
          class="button"
          label={isSaved ? 'Saved' : 'Save this address'}
          disabled={isSaved}
          run={() => {
            setSaved(true);
            desk.save(what);
          }}
        />
      ) : (
        <p class="soft">Try fewer words, or others for the same.</p>
      )}
      <a href={everything}>Show everything</a>
    </Empty>
  );
}

/** No item has what these filters want. */
export function NothingListed(): JSX.Element {
  const { query } = useAddress();
  const { tags, shelf, list, kind, state } = filtersOf(query);
  const { answer: known } = useAnswer<List<TagCount>>('list_tags', { limit: 100 });
  if (tags.length === 0)
    return (
      <Empty says={list === '' ? emptyShelves[kind + state === '' ? shelf : 'all'] : 'Nothing is in this list.'}>
        <a href={everything}>Show everything</a>
      </Empty>
    );
  return (
    <Empty says={`No item has ${tags.length === 1 ? 'the tag' : 'all of the tags'} ${tags.join(', ')}.`}>
      <p class="soft">To give an item a tag, open its menu, or press t while it has the focus.</p>
      <Tags of={(known?.items ?? []).map(({ tag }) => tag).filter((tag) => !tags.includes(tag))} />
      <a href={everything}>Show everything</a>
    </Empty>
  );
}

/** What somebody can do who has just come: save their own page or one of these, bring what they have, and connect an assistant. */
export function FirstVisit(): JSX.Element {
  const desk = useDesk();
  const [typed, setTyped] = useState('');
  const [saved, setSaved] = useState<readonly string[]>([]);
  const save = (words: string): void => {
    const what = whatIs(words);
    if (what.kind === 'nothing') return;
    desk.save(what);
    setSaved([...saved, words]);
  };
  return (
    <section class="first-visit" aria-labelledby="first-visit">
      <h2 id="first-visit">Save your first page</h2>
      <form
        class="save-form"
        onSubmit={(event) => {
          event.preventDefault();
          save(typed);
          setTyped('');
        }}
      >
        <input
          class="save-field"
          type="text"
          autocomplete="off"
          aria-label="An address or a note"
          placeholder={text.save.placeholder}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button class="button">Save</button>
      </form>
      <h3>Or try one of these</h3>
      <ul class="listed">
        {firstPages.map(({ title, url, licence }) => {
          const isSaved = saved.includes(url);
          const label = isSaved ? 'Saved' : 'Save';
          return (
            <Thing
              key={url}
              title={title}
              facts={[URL.parse(url)?.host, licence]}
              does={<Do label={label} of={title} disabled={isSaved} run={() => save(url)} />}
            />
          );
        })}
      </ul>
      <h3>Bring what you have</h3>
      <p class="next">
        <a href="/app/settings#import">Import from another program</a>
        <a href="/app/settings#connect">Connect an assistant</a>
        <a href="/app/save">Save files or notes</a>
        <a href="/app/browser">Save from your browser</a>
      </p>
    </section>
  );
}
