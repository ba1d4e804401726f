import { hasLinksDue } from './analyses/goal-links.ts';
import { hasNotesDue } from './analyses/note-tasks.ts';
import { hasHighlightsDue } from './highlights/marks.ts';
import { hasHistoryToPrune } from './history/pruning.ts';
import { hasRequestsToForget } from './queue/requests-answered.ts';

/** Each tells whether some work is due that belongs to no job. Deleted items that expire are looked for beside them. */
export const maintenanceChecks = [
  hasHistoryToPrune,
  hasRequestsToForget,
  hasLinksDue,
  hasNotesDue,
  hasHighlightsDue,
] as const;
