import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { goTo, useAddress } from '../address.tsx';
import { moveFocus } from '../keys/focus-row.ts';
import { Icon, ChosenTag } from '../parts/elements.tsx';
import type { Suggestions, LibraryState, List, TagCount } from '../data/records.ts';
import { text } from '../text.ts';
import { filtersOf, libraryAddress } from '../data/questions.ts';
import { choose } from '../settings/appearance.tsx';
import { type Choices, Options } from '../parts/form.tsx';
import { useAnswer, useStore } from '../data/store.ts';

/** Time without a key press after which titles and suggestions are asked for, and then passages. */
const pauseMs = { words: 60, question: 180 };
const maxSuggested = 6;

interface SearchFieldParts {
  suggested: Suggestions['suggestions'];
  /** Told of what is typed, a moment later. */
  onType: (typed: string) => void;
}

/** The field to search in, with what may be meant below it. */
export function SearchField({ suggested, onType }: SearchFieldParts): JSX.Element {
  const { query } = useAddress();
  const asked = query.get('q') ?? '';
  const [typed, setTyped] = useState(asked);
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);
  const field = useRef<HTMLInputElement>(null);
  const last = useRef(asked);
  useEffect(() => {
    // Another address, by the way back or a link.
    if (last.current !== asked) {
      setTyped(asked);
      onType('');
    }
    last.current = asked;
  }, [asked]);
  const stop = (): void => timers.current.forEach(clearTimeout);
  useEffect(() => stop, []);

  const ask = (next: string, changes = {}): void => {
    stop();
    const words = next.trim();
    onType(words);
    const before = last.current;
    if (words === before) return;
    last.current = words;
    // A question that grows is one step of the way back.
    goTo(libraryAddress(query, { q: words, ...changes }), before !== '' && words !== '');
  };
  const type = (next: string): void => {
    setTyped(next);
    stop();
    timers.current = [
      setTimeout(() => onType(next.trim()), pauseMs.words),
      setTimeout(() => ask(next), pauseMs.question),
    ];
  };
  const take = (words: string, changes = {}): void => {
    setTyped(words);
    // The value of an operator is still to be typed.
    if (words.endsWith(':')) onType(words);
    else ask(words, changes);
    field.current?.focus();
  };
  const words = suggested.filter(({ kind, text: one }) => kind !== 'title' && one !== typed.trim());
  return (
    <>
      <form
        class="search"
        role="search"
        action="/"
        onKeyDown={moveFocus}
        onSubmit={(event) => {
          event.preventDefault();
          ask(typed);
        }}
      >
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          name="q"
          value={typed}
          aria-label="Search your library"
          placeholder="Search everything"
          autocomplete="off"
          enterkeyhint="search"
          maxlength={2_000}
          onInput={(event) => type(event.currentTarget.value)}
        />
        {typed !== '' && (
          <button type="button" class="plain" aria-label="Clear the search" onClick={() => take('')}>
            <Icon name="close" />
          </button>
        )}
      </form>
      {words.length > 0 && (
        <ul class="suggestions" aria-label="Suggestions" onKeyDown={moveFocus}>
          {words.slice(0, maxSuggested).map(({ kind, text: one }) => (
            <li key={`${kind} ${one}`}>
              <button
                type="button"
                class="tag"
                aria-label={kind === 'tag' ? `Only items with the tag ${one}` : undefined}
                onClick={() => (kind === 'tag' ? take('', { tags: [...filtersOf(query).tags, one] }) : take(one))}
              >
                {kind === 'tag' ? `# ${one}` : one}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The first of them is the usual one. */
const orders = Object.entries({
  list: 'In the order of the list',
  newest: 'Newest first',
  oldest: 'Oldest first',
  title: 'By title',
});
const states = Object.entries(text.library.states);
const counted = (words: string, count: number): string => `${words} (${text.number(count)})`;

/** Which kinds, states and tags are shown. */
export function FilterBar(): JSX.Element {
  const { query } = useAddress();
  const { kind, state, tags, order, list } = filtersOf(query);
  const { answer: library } = useAnswer<LibraryState>('library_state', {});
  const { answer: known } = useAnswer<List<TagCount>>('list_tags', { limit: 100 });
  const others = (known?.items ?? []).filter(({ tag }) => !tags.includes(tag));
  const { start } = useStore();
  const isSearch = (query.get('q') ?? '').trim() !== '';
  return (
    <div class="filters" role="group" aria-label="Filters">
      <Choice
        label="Kind"
        value={kind}
        onChoose={(value) => goTo(libraryAddress(query, { kind: value }))}
        options={[
          ['', 'All kinds'],
          ...(library?.kinds ?? []).map((one) => [one.kind, counted(text.kinds[one.kind], one.count)] as const),
        ]}
      />
      {!isSearch && (
        <Choice
          label="State"
          value={state}
          onChoose={(value) => goTo(libraryAddress(query, { state: value }))}
          options={[['', 'Any state'], ...states]}
        />
      )}
      {others.length > 0 && (
        <Choice
          label="Tag"
          value=""
          onChoose={(value) => goTo(libraryAddress(query, { tags: [...tags, value] }))}
          options={[['', 'Any tag'], ...others.map(({ tag, count }) => [tag, counted(tag, count)] as const)]}
        />
      )}
      {!isSearch && (
        <>
          <Choice
            label="Order"
            value={order}
            onChoose={(value) => goTo(libraryAddress(query, { order: value }))}
            options={orders
              .slice(list === '' ? 1 : 0)
              .map(([value, words], index) => [index === 0 ? '' : value, words] as const)}
          />
          <Choice
            label="Rows"
            value={start.choices.rows}
            onChoose={(value) => choose(start, 'rows', value as typeof start.choices.rows)}
            options={Object.entries(text.settings.choices.rows.values)}
          />
        </>
      )}
      {tags.map((tag) => (
        <ChosenTag
          tag={tag}
          onRemove={() => goTo(libraryAddress(query, { tags: tags.filter((one) => one !== tag) }))}
        />
      ))}
    </div>
  );
}

interface ChoiceParts {
  label: string;
  value: string;
  /** The first is what is shown when nothing was chosen. */
  options: Choices;
  onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceParts): JSX.Element {
  return (
    <select
      aria-label={label}
      class={value === options[0]?.[0] ? '' : 'chosen'}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <Options of={options} chosen={value} />
    </select>
  );
}
