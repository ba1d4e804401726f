import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { itemProps } from '../items/item.ts';
import { ChooseBox, MenuButton, useTools } from '../items/item-tools.tsx';
import { Facts } from '../parts/facts.tsx';
import { Icon } from '../parts/icon.tsx';
import { useKeptFocus } from '../parts/kept-focus.ts';
import { Waiting } from '../parts/waiting.tsx';
import type { Found, Locator, Passage, SearchAnswer } from '../records.ts';
import { factsOfFound } from './item-facts.ts';
import { partsOf } from './passage-parts.ts';
import { Inline, safeAddress } from '../reading/inline-view.tsx';
import type { Source } from '../reading/source.ts';
import { useAnswer, useStore } from '../store.ts';
import { text } from '../text.ts';

/** What a search found: passages, with the words of the question marked. */
export function Results({ question }: { question: object }): JSX.Element {
  const { answer: latest, error, isLoading } = useAnswer<SearchAnswer>('search', question);
  // While the next question is asked, the answer to the one before stays.
  const shown = useRef(latest);
  const list = useKeptFocus('.result h2 a', '.result');
  shown.current = latest ?? shown.current;
  const answer = shown.current;
  if (answer === undefined || (error !== undefined && latest === undefined)) return <Waiting error={error} />;
  return (
    <section class={`results ${isLoading ? 'waiting' : ''}`} aria-label={text.search.label}>
      <ol ref={list}>
        {answer.results.map((found) => (
          <li key={found.id}>
            <Result found={found} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Result({ found }: { found: Found }): JSX.Element {
  const { chosen } = useTools();
  const { id, title, url, contentType, status, passages } = found;
  return (
    <article class={`result ${status ?? ''} ${chosen.has(id) ? 'chosen' : ''}`} {...itemProps(found)}>
      <ChooseBox item={found} />
      <h2>
        <a href={`/app/read/${id}`}>{title}</a>
      </h2>
      <Facts of={factsOfFound({ contentType, url })} />
      <MenuButton item={found} />
      {status !== undefined && <p class="summary state">{text.search.withoutText[status]}</p>}
      {passages.map((passage) => (
        <FoundPassage id={id} base={url} passage={passage} />
      ))}
    </article>
  );
}

function FoundPassage({ id, base, passage }: { id: string; base: string | null; passage: Passage }): JSX.Element {
  const images = useStore().start.choices.images === 'on';
  const { text: words, highlights = [], headingPath = [], notes = [], locator, url } = passage;
  const marks = highlights.map(([start, end], index) => ({ id: `found-${index}`, start, end, kind: 'found' as const }));
  const address = url === null ? null : safeAddress(url, null);
  const inText = locator.kind === 'text' ? `/app/read/${id}#at-${locator.start}` : `/app/read/${id}`;
  return (
    <div class="passage">
      {headingPath.length > 0 && <p class="path">{headingPath.join(' › ')}</p>}
      <blockquote>
        {partsOf(words).map(({ source, isCode }) =>
          isCode ? (
            <Code source={source} found={highlights} />
          ) : (
            <p>
              <Inline source={source} marks={marks} base={base} images={images} />
            </p>
          ),
        )}
      </blockquote>
      {notes.map((note) => (
        <p class="own-note">
          {text.reading.note}: {note}
        </p>
      ))}
      <p class="places">
        <a href={inText}>{text.reading.toPlace}</a>
        {address !== null && (
          <a href={address} target="_blank" rel="noopener noreferrer">
            {placeName(locator)}
            <Icon name="out" />
          </a>
        )}
      </p>
    </div>
  );
}

function Code({ source, found }: { source: Source; found: readonly (readonly [number, number])[] }): JSX.Element {
  const first = source.offsetOf(0);
  const pieces: (string | JSX.Element)[] = [];
  let done = 0;
  for (const [start, end] of found) {
    const from = Math.max(start - first, done);
    const to = Math.min(end - first, source.text.length);
    if (from >= to) continue;
    pieces.push(source.text.slice(done, from), <mark>{source.text.slice(from, to)}</mark>);
    done = to;
  }
  return (
    <pre>
      {pieces}
      {source.text.slice(done)}
    </pre>
  );
}

function placeName(locator: Locator): string {
  if (locator.kind === 'time') return text.clock(locator.seconds);
  return locator.kind === 'page' ? text.page(locator.page) : text.search.openPlace;
}
