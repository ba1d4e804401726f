import type { Operation } from '../operation.ts';
import { deleteItems } from './delete-items.ts';
import { editItem } from './edit-item.ts';
import { goalsOverview } from './goals-overview.ts';
import { libraryState } from './library-state.ts';
import { listLibrary } from './list-library.ts';
import { listTitles } from './list-titles.ts';
import { listTodo } from './list-todo.ts';
import { purgeItems } from './purge-items.ts';
import { readItem } from './read-item.ts';
import { retryAll } from './retry-all.ts';
import { retryItem } from './retry-item.ts';
import { weeklyReview } from './weekly-review.ts';

/**
 * Operations that only the page in a browser calls, beside all others. They have no tool, route or command: what they answer may change with
 * the page.
 */
export const pageOperations: readonly Operation[] = [
  deleteItems,
  editItem,
  goalsOverview,
  libraryState,
  listLibrary,
  listTitles,
  listTodo,
  purgeItems,
  readItem,
  retryAll,
  retryItem,
  weeklyReview,
];
