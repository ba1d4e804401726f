import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useAddress } from '../address.tsx';
import { bindTo, useDraft, Field } from '../parts/form.tsx';
import type { LibraryState } from '../data/records.ts';
import { useAnswer, useStore } from '../data/store.ts';
import { text } from '../text.ts';
import { Do, useTell } from '../parts/writing.tsx';
import { bookmarklet } from './bookmarklet.ts';
import { saveDraft, tagsOf, type What, whatIs } from './desk.ts';
import { useDesk } from './desk-provider.tsx';
import { KeptShares, OthersUnderWay, SavedList, SavedStatus } from './saved-list.tsx';

const maxAtOnce = 20;
const maxNote = 200_000;

/** One field for everything: an address, several of them, or a note. And files. */
export function SaveBox(): JSX.Element {
  const { query } = useAddress();
  const desk = useDesk();
  const { answer: state } = useAnswer<LibraryState>('library_state', {});
  const first = shared(query);
  // What is shared does not take the place of what was typed before.
  const [draft, setDraft] = useDraft(`${saveDraft}${first}`, { typed: first, tags: '', words: '' });
  const { typed, tags, words } = draft;
  const bound = bindTo(draft, setDraft);
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const what = whatIs(typed);
  const isTooMuch = what.kind === 'pages' && what.addresses.length > maxAtOnce;
  const about = { tags: tagsOf(tags), notes: words };
  const failed = state?.failed ?? 0;

  const save = (): void => {
    if (what.kind === 'nothing' || isTooMuch) return;
    setDraft({ typed: '', tags, words: '' });
    desk.save(what, about);
  };
  return (
    <>
      <form
        class="save-form"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <textarea
          ref={field}
          class="save-field"
          rows={Math.min(12, Math.max(1, typed.split('\n').length, Math.ceil(typed.length / 70)))}
          maxlength={maxNote}
          aria-label="An address or a note"
          aria-describedby="save-what"
          placeholder={text.save.placeholder}
          {...bound('typed')}
          onKeyDown={(event) => {
            // An address needs no second line; a note does.
            const isSent =
              event.key === 'Enter' && (event.ctrlKey || event.metaKey || (what.kind === 'pages' && !event.shiftKey));
            if (!isSent || event.isComposing) return;
            event.preventDefault();
            save();
          }}
        />
        <p id="save-what" class="soft" role="status">
          {isTooMuch ? 'More than 20 at once. Save some of them first.' : describe(what)}
        </p>
        <details class="more-about">
          <summary>Tags and your own words</summary>
          <Field label="Tags, with commas between them" autocomplete="off" maxlength={1_000} {...bound('tags')} />
          <Field label="Your own words about it" rows={2} maxlength={4_000} {...bound('words')} />
        </details>
        <p class="buttons">
          <button class="button">Save</button>
          <Do class="button quiet" label="Choose files" run={() => picker.current?.click()} />
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            onChange={(event) => {
              desk.saveFiles(event.currentTarget.files ?? [], about);
              event.currentTarget.value = '';
            }}
          />
          <span class="soft keys">Alt + S comes here from everywhere.</span>
        </p>
      </form>
      <KeptShares />
      <SavedStatus />
      <SavedList />
      <Bookmark />
      <OthersUnderWay pending={state?.pending ?? 0} />
      {failed > 0 && (
        <p class="save-problems">
          <a href="/app/problems">{text.counted(failed, 'item')} could not be read: see what to do</a>
        </p>
      )}
    </>
  );
}

/** What saves pages from other windows of this browser. */
function Bookmark(): JSX.Element {
  const { origin } = useStore().start;
  const tell = useTell();
  return (
    <details class="more-about">
      <summary>From other pages</summary>
      <p>
        <a
          class="button quiet"
          href={bookmarklet(origin)}
          onClick={(event) => {
            event.preventDefault();
            tell({ message: 'Drag it to your bookmarks, and press it on another page.' });
          }}
        >
          Save to Commonplace
        </a>
      </p>
      <p class="soft">
        Drag this to your bookmarks. Pressed on any page, it saves the page as you see it, also behind a login, with the
        words that you have selected.
      </p>
    </details>
  );
}

function describe(what: What): string {
  if (what.kind === 'nothing') return 'Or drop files anywhere on this page.';
  if (what.kind === 'note') return `A note of ${text.counted(what.words, 'word')}`;
  const [first = ''] = what.addresses;
  return what.addresses.length === 1
    ? `A page of ${URL.parse(first)?.host ?? first}`
    : text.counted(what.addresses.length, 'page');
}

/** What another program of a phone shares with this one: some put the address into the text. */
function shared(query: URLSearchParams): string {
  const [url, words, title] = ['url', 'text', 'title'].map((name) => query.get(name)?.trim() ?? '');
  if (url !== undefined && url !== '') return url;
  return [title, words].filter(Boolean).join('\n');
}
