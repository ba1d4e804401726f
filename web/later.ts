import { BrowserKey } from './settings/access.tsx';
import { Settings } from './settings/settings.tsx';
import { Goals } from './views/goals.tsx';
import { History, Trash } from './views/history.tsx';
import { Problems } from './views/problems.tsx';
import { Sources } from './views/sources.tsx';
import { Week } from './views/week.tsx';

/** Of this script. */
export const address = import.meta.url;

/** Views that few look at first: a browser loads them once it has drawn another one. */
export const laterViews = {
  sources: Sources,
  goals: Goals,
  week: Week,
  settings: Settings,
  history: History,
  trash: Trash,
  problems: Problems,
  browser: BrowserKey,
};
