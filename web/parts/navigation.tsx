import type { JSX } from 'preact';
import { useAddress } from '../address.tsx';
import type { LibraryState } from '../records.ts';
import { useAnswer } from '../store.ts';
import { text } from '../text.ts';
import { viewOf, type View } from '../views.ts';
import { Icon, type IconName } from './icon.tsx';
import { Logo } from './mark.tsx';

interface Place {
  view: Exclude<View['name'], 'reading' | 'missing' | 'problems'>;
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
];

/** Where one can go: at the side, and on a phone at the bottom. */
export function Navigation(): JSX.Element {
  const current = viewOf(useAddress()).name;
  const { answer } = useAnswer<LibraryState>('library_state', {});
  const failed = answer?.failed ?? 0;
  return (
    <header class="side">
      <a class="brand" href="/">
        <Logo />
        <span>{text.name}</span>
      </a>
      <nav aria-label={text.mainNavigation}>
        <ul>
          {places.map(({ view, path, icon }) => (
            <li>
              <a href={path} class={`to-${view}`} aria-current={current === view ? 'page' : undefined}>
                <Icon name={icon} />
                <span>{text.views[view]}</span>
              </a>
            </li>
          ))}
          {failed > 0 && (
            <li>
              <a href="/app/problems" class="to-problems" aria-current={current === 'problems' ? 'page' : undefined}>
                <Icon name="problem" />
                <span>{text.views.problems}</span> <span class="count">{text.number(failed)}</span>
              </a>
            </li>
          )}
        </ul>
      </nav>
    </header>
  );
}
