import type { JSX } from 'preact';
import { useAddress } from '../address.tsx';
import { everywhere, filtersOf, libraryAddress, shelves } from '../data/questions.ts';
import type { LibraryState, List, ItemList } from '../data/records.ts';
import { useAnswer } from '../data/store.ts';
import { text } from '../text.ts';
import { maxLists, type Place, paths, places, viewOf } from '../views.ts';
import { Icon, Logo } from './elements.tsx';

type Shown = Exclude<Place, 'browser'>;
/** The bar of a phone has no room for these. */
const onlyInMore: readonly string[] = ['lists', 'sources', 'goals', 'settings', 'history', 'trash', 'problems'];

/** Where one can go: at the side, and on a phone at the bottom. */
export function Navigation(): JSX.Element {
  const current = viewOf(useAddress()).name;
  const { answer } = useAnswer<LibraryState>('library_state', {});
  const failed = answer?.failed ?? 0;
  const isShown = (view: Place): view is Shown =>
    view !== 'browser' && (view !== 'problems' || failed > 0 || current === view);
  const shown = places.filter(isShown);
  return (
    <header class="side">
      <a class="brand" href="/">
        <Logo />
        <span>Commonplace</span>
      </a>
      <nav aria-label="Main">
        <ul>
          {shown.map((place) => (
            <li>
              <Link place={place} isCurrent={current === place} failed={failed} />
              {place === 'library' && <Shelves />}
              {place === 'lists' && <Lists />}
            </li>
          ))}
          <li class="more-views">
            <button type="button" class={onlyInMore.includes(current) ? 'current' : ''} popovertarget="more-views">
              <Icon name="more" />
              <span>More</span>
              {failed > 0 && <span class="dot" aria-hidden="true" />}
            </button>
          </li>
        </ul>
        <ul id="more-views" popover="auto" onClick={({ currentTarget }) => currentTarget.hidePopover()}>
          {shown
            .filter((place) => onlyInMore.includes(place))
            .map((place) => (
              <li>
                <Link place={place} isCurrent={current === place} failed={failed} />
              </li>
            ))}
        </ul>
      </nav>
    </header>
  );
}

function Link({ place, isCurrent, failed }: { place: Shown; isCurrent: boolean; failed: number }): JSX.Element {
  return (
    <a href={paths[place]} class={`to-${place}`} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={place} />
      <span>{text.views[place]}</span>
      {place === 'problems' && failed > 0 && <span class="count"> {text.number(failed)}</span>}
    </a>
  );
}

/** Where items are kept, with how many are there. */
export function Shelves(): JSX.Element {
  const address = useAddress();
  const { answer } = useAnswer<LibraryState>('library_state', {});
  const { shelf: current, list } = filtersOf(address.query);
  const isHere = viewOf(address).name === 'library' && list === '' && !address.query.has('q');
  return (
    <ul class="shelves">
      {shelves.map((shelf) => (
        <li>
          <a
            href={libraryAddress(everywhere, { shelf })}
            aria-current={isHere && shelf === current ? 'true' : undefined}
          >
            <span>{text.library.shelves[shelf]}</span>
            {shelf !== 'all' && answer?.shelves !== undefined && (
              <span class="count"> {text.number(answer.shelves[shelf])}</span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Lists(): JSX.Element {
  const { query } = useAddress();
  const { answer } = useAnswer<List<ItemList>>('list_lists', { limit: maxLists });
  const current = filtersOf(query).list;
  return (
    <ul class="shelves">
      {(answer?.items ?? []).map(({ id, name, icon, items }) => (
        <li>
          <a href={libraryAddress(everywhere, { list: id })} aria-current={id === current ? 'true' : undefined}>
            <span dir="auto">
              {icon !== null && <span aria-hidden="true">{icon} </span>}
              {name}
            </span>
            <span class="count"> {text.number(items)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
