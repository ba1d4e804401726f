import type { JSX } from 'preact';
import { useAddress } from '../address.tsx';
import type { LibraryState } from '../records.ts';
import { useAnswer } from '../store.ts';
import { text } from '../text.ts';
import { viewOf, type View } from '../views.ts';
import { Icon, type IconName } from './icon.tsx';
import { Logo } from './mark.tsx';

interface Place {
  view: Exclude<View['name'], 'reading' | 'missing'>;
  path: string;
  icon: IconName;
}

const places: readonly Place[] = [
  { view: 'library', path: '/', icon: 'shelf' },
  { view: 'actions', path: '/app/actions', icon: 'check' },
  { view: 'goals', path: '/app/goals', icon: 'goal' },
  { view: 'week', path: '/app/week', icon: 'week' },
  { view: 'save', path: '/app/save', icon: 'add' },
  { view: 'settings', path: '/app/settings', icon: 'settings' },
  { view: 'history', path: '/app/history', icon: 'history' },
  { view: 'trash', path: '/app/trash', icon: 'trash' },
  { view: 'problems', path: '/app/problems', icon: 'problem' },
];
/** The bar of a phone has no room for these. */
const onlyInMore: readonly Place['view'][] = ['goals', 'settings', 'history', 'trash', 'problems'];
const isOnlyInMore = ({ view }: Place): boolean => onlyInMore.includes(view);

/** Where one can go: at the side, and on a phone at the bottom. */
export function Navigation(): JSX.Element {
  const current = viewOf(useAddress()).name;
  const { answer } = useAnswer<LibraryState>('library_state', {});
  const failed = answer?.failed ?? 0;
  const shown = places.filter(({ view }) => view !== 'problems' || failed > 0 || current === view);
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
              <Link place={place} isCurrent={current === place.view} failed={failed} />
            </li>
          ))}
          <li class="more-views">
            <button
              type="button"
              class={onlyInMore.some((view) => view === current) ? 'current' : ''}
              popovertarget="more-views"
            >
              <Icon name="more" />
              <span>{text.moreViews}</span>
              {failed > 0 && <span class="dot" aria-hidden="true" />}
            </button>
          </li>
        </ul>
        <ul id="more-views" popover="auto" onClick={({ currentTarget }) => currentTarget.hidePopover()}>
          {shown.filter(isOnlyInMore).map((place) => (
            <li>
              <Link place={place} isCurrent={current === place.view} failed={failed} />
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

function Link({ place: { view, path, icon }, isCurrent, failed }: LinkParts): JSX.Element {
  return (
    <a href={path} class={`to-${view}`} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{text.views[view]}</span>
      {view === 'problems' && failed > 0 && <span class="count"> {text.number(failed)}</span>}
    </a>
  );
}
