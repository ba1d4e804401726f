import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { goTo, useAddress } from '../address.tsx';
import { Icon } from '../parts/icon.tsx';
import { Waiting } from '../parts/waiting.tsx';
import type { ContentSummary, LibraryState, List, SearchAnswer } from '../records.ts';
import { useAnswer } from '../store.ts';
import { text } from '../text.ts';
import { FilterBar } from './filter-bar.tsx';
import { listInput, libraryAddress, searchInput } from './questions.ts';
import { Results } from './results.tsx';
import { Rows } from './rows.tsx';

/** Time without a key press after which a question is asked. */
const typingMs = 180;

/** Everything that was saved: what a search finds in it, or all of it. */
export function Library(): JSX.Element {
  const { query, reading } = useAddress();
  const question = searchInput(query);
  return (
    <>
      {reading === undefined && <h1 class="unseen">{text.views.library}</h1>}
      <SearchField />
      <FilterBar />
      <Count question={question} />
      {question === null ? <AllItems /> : <Results question={question} />}
    </>
  );
}

/** How much there is, or was found. It stays in the document, so that changes of it are said aloud. */
function Count({ question }: { question: object | null }): JSX.Element {
  const { query } = useAddress();
  const { answer: found } = useAnswer<SearchAnswer>('search', question);
  const { answer: list } = useAnswer<List<ContentSummary>>(
    'list_library',
    question === null ? listInput(query, 0) : null,
  );
  const words =
    found !== undefined ? wordsOf(found) : list === undefined || list.total === 0 ? '' : text.library.items(list.total);
  // While the next answer is awaited, the one before stays.
  const shown = useRef(words);
  if (words !== '' || list !== undefined) shown.current = words;
  return (
    <p class="total soft" role="status">
      {shown.current}
    </p>
  );
}

function wordsOf({ results, match, searchedFor, coverage }: SearchAnswer): string {
  return [
    match === 'weak' && results.length > 0 ? text.search.weak : text.search.found(results.length),
    searchedFor === undefined ? '' : text.search.searchedFor(searchedFor),
    coverage.pending > 0 ? text.search.coverage(coverage.pending) : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function SearchField(): JSX.Element {
  const { query } = useAddress();
  const asked = query.get('q') ?? '';
  const [typed, setTyped] = useState(asked);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const last = useRef(asked);
  useEffect(() => {
    // Another address, by the way back or a link.
    if (last.current !== asked) setTyped(asked);
    last.current = asked;
  }, [asked]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const ask = (next: string): void => {
    clearTimeout(timer.current);
    const words = next.trim();
    const before = last.current;
    if (words === before) return;
    last.current = words;
    // A question that grows is one step of the way back.
    goTo(libraryAddress(query, { q: words }), before !== '' && words !== '');
  };
  const type = (next: string): void => {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => ask(next), typingMs);
  };
  return (
    <form
      class="search"
      role="search"
      action="/"
      onSubmit={(event) => {
        event.preventDefault();
        ask(typed);
      }}
    >
      <Icon name="search" />
      <input
        type="search"
        name="q"
        value={typed}
        aria-label={text.search.label}
        placeholder={text.search.placeholder}
        autocomplete="off"
        enterkeyhint="search"
        maxlength={2_000}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {typed !== '' && (
        <button
          type="button"
          class="plain"
          aria-label={text.search.clear}
          onClick={(event) => {
            setTyped('');
            ask('');
            event.currentTarget.form?.querySelector('input')?.focus();
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </form>
  );
}

function AllItems(): JSX.Element {
  const { query } = useAddress();
  const { answer, error } = useAnswer<List<ContentSummary>>('list_library', listInput(query, 0));
  const { answer: state } = useAnswer<LibraryState>('library_state', {});
  // While other filters are asked for, what was there stays.
  const shown = useRef(answer);
  shown.current = answer ?? shown.current;
  const list = shown.current;
  if (list === undefined || (error !== undefined && answer === undefined)) return <Waiting error={error} />;
  if (list.total > 0) return <Rows key={query.toString()} query={query} total={list.total} />;
  const isEmpty = state !== undefined && state.searchable + state.pending + state.failed === 0;
  return isEmpty ? (
    <div class="empty">
      <p>{text.library.empty}</p>
      <p class="soft">{text.library.emptyHint}</p>
      <a class="button" href="/app/save">
        {text.library.saveFirst}
      </a>
    </div>
  ) : (
    <div class="empty">
      <p>{text.library.nothingMatches}</p>
      <a href="/">{text.library.showAll}</a>
    </div>
  );
}
