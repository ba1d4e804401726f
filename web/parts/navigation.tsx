import type { JSX } from 'preact';
import { useAddress } from '../address.tsx';
import type { LibraryState } from '../records.ts';
import { useAnswer } from '../store.ts';
import { text } from '../text.ts';
import { type Place, paths, places, viewOf } from '../views.ts';
import { type IconName, Icon, Logo } from './elements.tsx';

export const icons: Readonly<Record<Place, IconName>> = {
  library: 'shelf',
  actions: 'check',
  goals: 'goal',
  week: 'week',
  save: 'add',
  settings: 'settings',
  history: 'history',
  trash: 'trash',
  problems: 'problem',
  browser: 'out',
};
/** The bar of a phone has no room for these. */
const onlyInMore: readonly string[] = ['goals', 'settings', 'history', 'trash', 'problems'];

/** Where one can go: at the side, and on a phone at the bottom. */
export function Navigation(): JSX.Element {
  const current = viewOf(useAddress()).name;
  const { answer } = useAnswer<LibraryState>('library_state', {});
  const failed = answer?.failed ?? 0;
  const shown = places.filter((view) => view !== 'browser' && (view !== 'problems' || failed > 0 || current === view));
  return (
    <header class="side">
      <a class="brand" href="/">
        <Logo />
        <span>{text.name}</span>
      </a>
      <nav aria-label={text.mainNavigation}>
        <ul>
          {shown.map((place) => (
            <li>
              <Link place={place} isCurrent={current === place} failed={failed} />
            </li>
          ))}
          <li class="more-views">
            <button type="button" class={onlyInMore.includes(current) ? 'current' : ''} popovertarget="more-views">
              <Icon name="more" />
              <span>{text.moreViews}</span>
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

interface LinkParts {
  place: Place;
  isCurrent: boolean;
  failed: number;
}

function Link({ place, isCurrent, failed }: LinkParts): JSX.Element {
  return (
    <a href={paths[place]} class={`to-${place}`} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={icons[place]} />
      <span>{text.views[place]}</span>
      {place === 'problems' && failed > 0 && <span class="count"> {text.number(failed)}</span>}
    </a>
  );
}
