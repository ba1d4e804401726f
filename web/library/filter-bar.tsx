import type { JSX } from 'preact';
import { goTo, useAddress } from '../address.tsx';
import { ChosenTag } from '../parts/elements.tsx';
import type { LibraryState, List, TagCount } from '../records.ts';
import { choose } from '../settings/appearance.tsx';
import { useAnswer, useStore } from '../store.ts';
import { text } from '../text.ts';
import { filtersOf, libraryAddress } from './questions.ts';

const orders = ['oldest', 'title'] as const;
const states = ['completed', 'processing', 'pending', 'failed'] as const;

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
    <div class="filters" role="group" aria-label={text.library.filters}>
      <Choice
        label={text.library.kind}
        value={kind}
        onChoose={(value) => goTo(libraryAddress(query, { kind: value }))}
        options={[
          { value: '', shown: text.library.allKinds },
          ...(library?.kinds ?? []).map((one) => ({
            value: one.kind,
            shown: `${text.kinds[one.kind]} (${text.number(one.count)})`,
          })),
        ]}
      />
      {!isSearch && (
        <Choice
          label={text.library.state}
          value={state}
          onChoose={(value) => goTo(libraryAddress(query, { state: value }))}
          options={[
            { value: '', shown: text.library.allStates },
            ...states.map((one) => ({ value: one, shown: text.library.states[one] })),
          ]}
        />
      )}
      {others.length > 0 && (
        <Choice
          label={text.library.tag}
          value=""
          onChoose={(value) => goTo(libraryAddress(query, { tags: [...tags, value] }))}
          options={[
            { value: '', shown: text.library.addTag },
            ...others.map(({ tag, count }) => ({ value: tag, shown: `${tag} (${text.number(count)})` })),
          ]}
        />
      )}
      {!isSearch && (
        <Choice
          label={text.library.order}
          value={order}
          onChoose={(value) => goTo(libraryAddress(query, { order: value }))}
          options={[
            { value: '', shown: text.library.orders[list === '' ? 'newest' : 'list'] },
            ...(list === '' ? orders : (['newest', ...orders] as const)).map((one) => ({
              value: one,
              shown: text.library.orders[one],
            })),
          ]}
        />
      )}
      {!isSearch && (
        <Choice
          label={text.library.rows}
          value={start.choices.rows}
          onChoose={(value) => choose(start, 'rows', value as typeof start.choices.rows)}
          options={Object.entries(text.library.rowsAs).map(([value, shown]) => ({ value, shown }))}
        />
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
  options: readonly { value: string; shown: string }[];
  onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceParts): JSX.Element {
  return (
    <select
      aria-label={label}
      class={value === options[0]?.value ? '' : 'chosen'}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {options.map((option) => (
        <option value={option.value} selected={option.value === value}>
          {option.shown}
        </option>
      ))}
    </select>
  );
}
