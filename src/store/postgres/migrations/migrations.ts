import { control } from './001-control.ts';
import { library } from './002-library.ts';
import { history } from './003-history.ts';
import { transfer } from './004-transfer.ts';
import { sharedLimits } from './005-shared-limits.ts';
import { blobs } from './006-blobs.ts';
import { search } from './007-search.ts';
import { analysesGivenUp } from './008-analyses-given-up.ts';
import { actionsOfPersons } from './009-actions-of-persons.ts';
import { linksByMeaning } from './010-links-by-meaning.ts';
import { goalsOfInsights } from './011-goals-of-insights.ts';
import type { Migration } from './migration.ts';

/** What the database went through, in order. Append only: an entry that was released never changes. */
export const migrations: readonly Migration[] = [
  control,
  library,
  history,
  transfer,
  sharedLimits,
  blobs,
  search,
  analysesGivenUp,
  actionsOfPersons,
  linksByMeaning,
  goalsOfInsights,
];
