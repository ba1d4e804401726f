import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useAddress } from '../address.tsx';
import { Waiting } from '../parts/elements.tsx';
import { Shelves } from '../parts/navigation.tsx';
import type { ContentSummary, LibraryState, List, SearchAnswer, Suggestions } from '../data/records.ts';
import { useAnswer } from '../data/store.ts';
import { text } from '../text.ts';
import { foundAtOnce, listInput, searchInput } from '../data/questions.ts';
import { FirstVisit, NothingListed } from './empty.tsx';
import { FilterBar, SearchField } from './search-field.tsx';
import { Results, type Title } from './results.tsx';
import { Rows } from './rows.tsx';

const maxSuggestions = 16;

/** Everything that was saved: what a search finds in it, or all of it. */
export function Library(): JSX.Element {
  const { query, reading } = useAddress();
  const [typed, setTyped] = useState('');
  const question = searchInput(query);
  const { answer } = useAnswer<SearchAnswer>('search_library', question);
  const suggested = useSuggestions(typed);
  const { answer: state } = useAnswer<LibraryState>('library_state', {});
  const isAnswered = typed === (query.get('q') ?? '') && answer !== undefined;
  const titles: Title[] =
    typed === '' || isAnswered
      ? []
      : suggested.flatMap(({ id, text: title }) => (id === undefined ? [] : { id, title }));
  return (
    <>
      {reading === undefined && <h1 class="unseen">{text.views.library}</h1>}
      <nav class="on-phone" aria-label="Where items are kept">
        <Shelves />
      </nav>
      <SearchField suggested={suggested} onType={setTyped} />
      {!isEmpty(state) && <FilterBar />}
      <Count question={question} />
      {question === null && titles.length === 0 ? <AllItems /> : <Results query={query} titles={titles} />}
    </>
  );
}

/** What may be meant by the words that are being typed. While the next answer is awaited, the one before stays. */
function useSuggestions(typed: string): Suggestions['suggestions'] {
  const input = typed === '' ? null : { prefix: typed.slice(0, 200), limit: maxSuggestions };
  const { answer } = useAnswer<Suggestions>('suggest', input);
  const last = useRef(answer);
  last.current = input === null ? undefined : (answer ?? last.current);
  return last.current?.suggestions ?? [];
}

const isEmpty = (state: LibraryState | undefined): boolean =>
  state !== undefined && state.searchable + state.pending + state.failed === 0;

/** The last page of a search with so many results is asked for, to count them. */
const maxCounted = 100;

/** How much there is, or was found. It stays in the document, so that changes of it are said aloud. */
function Count({ question }: { question: object | null }): JSX.Element {
  const { query } = useAddress();
  const { answer: found } = useAnswer<SearchAnswer>('search_library', question);
  // Copies are left out page by page, so the last page alone knows how many there are.
  const isBound = found?.isUpperBound === true && found.total <= maxCounted;
  const last = isBound ? searchInput(query, found.total - 1 - ((found.total - 1) % foundAtOnce)) : null;
  const { answer: end } = useAnswer<SearchAnswer>('search_library', last);
  const { answer: list } = useAnswer<List<ContentSummary>>(
    'list_library',
    question === null ? listInput(query, 0) : null,
  );
  const exact = end === undefined ? {} : { total: end.total, isUpperBound: end.isUpperBound };
  const words =
    found !== undefined
      ? wordsOf({ ...found, ...exact })
      : list === undefined || list.total === 0
        ? ''
        : text.library.items(list.total);
  // While the next answer is awaited, the one before stays.
  const shown = useRef(words);
  if (words !== '' || list !== undefined) shown.current = words;
  return (
    <p class="total soft" role="status">
      {shown.current}
    </p>
  );
}

function wordsOf({ total, hasMore, isUpperBound, match, searchedFor, coverage }: SearchAnswer): string {
  const bound = hasMore ? 'More than ' : isUpperBound ? 'Up to ' : '';
  return [
    match === 'weak' && total > 0
      ? 'Nothing saved is close. These come nearest:'
      : total === 0
        ? 'Nothing found.'
        : `${bound}${text.counted(total, 'result')}`,
    searchedFor === undefined ? '' : `Searched for “${searchedFor}”.`,
    coverage.pending > 0 ? `The text of ${text.counted(coverage.pending, 'item')} cannot be searched yet.` : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Who has saved no more since the library was empty is still offered what to begin with. */
const maxAtFirst = 3;

function AllItems(): JSX.Element {
  const { query } = useAddress();
  const wasEmpty = useRef(false);
  const { answer, error } = useAnswer<List<ContentSummary>>('list_library', listInput(query, 0));
  const { answer: state } = useAnswer<LibraryState>('library_state', {});
  // While other filters are asked for, what was there stays.
  const shown = useRef(answer);
  shown.current = answer ?? shown.current;
  const list = shown.current;
  if (list === undefined || (error !== undefined && answer === undefined)) return <Waiting error={error} />;
  wasEmpty.current ||= isEmpty(state);
  return (
    <>
      {list.total > 0 && <Rows key={query.toString()} query={query} total={list.total} />}
      {wasEmpty.current && list.total <= maxAtFirst ? <FirstVisit /> : list.total === 0 && <NothingListed />}
    </>
  );
}
