import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useAddress } from '../address.tsx';
import { itemProps } from '../items/item.ts';
import { ChooseBox, MenuButton, useTools } from '../items/item-tools.tsx';
import { moveFocus } from '../keys/focus-row.ts';
import { ListForm } from '../views/lists.tsx';
import { Do } from '../parts/writing.tsx';
import { Out, Waiting } from '../parts/elements.tsx';
import { ItemFacts } from '../parts/pictures.tsx';
import { Pages, useKeptFocus } from '../parts/things.tsx';
import type { Found, Locator, Passage, SearchAnswer } from '../data/records.ts';
import { Inline } from '../reading/inline-view.tsx';
import { useAnswer, useStore } from '../data/store.ts';
import { text } from '../text.ts';
import { partsOf } from '../reading/source.ts';
import { foundAtOnce, searchInput } from '../data/questions.ts';
import { NothingFound } from './empty.tsx';
import { State, Tags } from './rows.tsx';
import { headingOf } from '../items/item-facts.ts';

const keepSearch = 'Keep this search as a list';

export interface Title {
  id: string;
  title: string;
}

/** The search that was shown last, and how far it was read: who comes back finds the same rows. */
let kept = { asked: '', pages: 1 };

interface ResultsParts {
  /** The search of the address. */
  query: URLSearchParams;
  /** Items with the words that are being typed in their titles, while these are not searched for yet. */
  titles: readonly Title[];
}

/** What a search found: passages, with the words of the question marked. */
export function Results({ query, titles }: ResultsParts): JSX.Element {
  const { answer: latest, error, isLoading } = useAnswer<SearchAnswer>('search_library', searchInput(query));
  // While the next question is asked, the answer to the one before stays.
  const last = useRef<{ query: URLSearchParams; answer: SearchAnswer }>(undefined);
  if (latest !== undefined) last.current = { query, answer: latest };
  const list = useKeptFocus('.result h2 a', '.result');
  const shown = last.current;
  if (titles.length === 0 && (shown === undefined || (error !== undefined && latest === undefined)))
    return <Waiting error={error} />;
  if (titles.length === 0 && shown?.answer.total === 0) return <NothingFound query={shown.query} />;
  return (
    <section class={`results ${isLoading && titles.length === 0 ? 'waiting' : ''}`} aria-label="Search your library">
      <ol ref={list} onKeyDown={moveFocus}>
        {titles.length > 0
          ? titles.map(({ id, title }) => (
              <li key={id}>
                <article class="result">
                  <h2 dir="auto">
                    <a href={`/app/read/${id}`}>{title}</a>
                  </h2>
                </article>
              </li>
            ))
          : shown !== undefined && (
              <Pages<Found>
                key={shown.query.toString()}
                operation="search_library"
                inputOf={(offset) => searchInput(shown.query, offset) ?? {}}
                limit={foundAtOnce}
                total={shown.answer.total}
                first={kept.asked === shown.query.toString() ? kept.pages : 1}
                onPages={(pages) => {
                  kept = { asked: shown.query.toString(), pages };
                }}
                draw={(found) => (
                  <li key={found.item.id}>
                    <Result found={found} />
                  </li>
                )}
              />
            )}
      </ol>
      {titles.length === 0 && <KeepSearch question={shown?.query.get('q') ?? ''} />}
    </section>
  );
}

/** A search that one makes often becomes a list. */
function KeepSearch({ question }: { question: string }): JSX.Element {
  const [isAsked, setAsked] = useState(false);
  if (isAsked) return <ListForm label={keepSearch} query={question} onDone={() => setAsked(false)} />;
  return <Do class="button quiet" label={keepSearch} run={() => setAsked(true)} />;
}

function Result({ found: { item, status, passages } }: { found: Found }): JSX.Element {
  const { chosen } = useTools();
  const { reading } = useAddress();
  const [first, ...others] = passages as Passage[];
  const draw = (passage: Passage): JSX.Element => <FoundPassage id={item.id} base={item.url} passage={passage} />;
  return (
    <article
      class={`result ${status ?? ''} ${chosen.has(item.id) ? 'chosen' : ''}`}
      {...itemProps({ ...item, passages })}
    >
      <ChooseBox item={item} />
      <h2 dir="auto">
        <a href={`/app/read/${item.id}`} aria-current={reading === item.id ? 'true' : undefined}>
          {headingOf(item)}
        </a>
      </h2>
      <ItemFacts item={item} isRead={item.publishedAt !== null} />
      <MenuButton item={item} />
      <Tags of={item.tags} />
      {status !== undefined && <State of={item} />}
      {first !== undefined && draw(first)}
      {others.length > 0 && (
        <details class="further">
          <summary>
            {text.number(others.length)} more {others.length === 1 ? 'passage' : 'passages'}
          </summary>
          {others.map(draw)}
        </details>
      )}
    </article>
  );
}

function FoundPassage({ id, base, passage }: { id: string; base: string | null; passage: Passage }): JSX.Element {
  const images = useStore().start.choices.images === 'on';
  const { text: words, highlights = [], headingPath = [], notes = [], locator, url } = passage;
  const marks = highlights.map(([start, end], index) => ({ id: `found-${index}`, start, end, kind: 'found' as const }));
  const inText = locator.kind === 'text' ? `/app/read/${id}#at-${locator.start}` : `/app/read/${id}`;
  return (
    <div class="passage">
      {headingPath.length > 0 && (
        <p class="path" dir="auto">
          {headingPath.join(' › ')}
        </p>
      )}
      <blockquote dir="auto">
        {partsOf(words).map(({ source, isCode }) =>
          isCode ? (
            <pre>
              <Inline source={source} marks={marks} base={base} images={false} isCode />
            </pre>
          ) : (
            <p>
              <Inline source={source} marks={marks} base={base} images={images} />
            </p>
          ),
        )}
      </blockquote>
      {notes.map((note) => (
        <p class="own-note">Your note: {note}</p>
      ))}
      <p class="places">
        <a href={inText}>Show it in the text</a>
        <Out to={url}>{placeName(locator)}</Out>
      </p>
    </div>
  );
}

function placeName(locator: Locator): string {
  if (locator.kind === 'time') return text.clock(locator.seconds);
  return locator.kind === 'page' ? text.page(locator.page) : 'Open the source at this place';
}
