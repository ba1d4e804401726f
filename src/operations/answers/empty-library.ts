import type { LibraryService } from '../../services/library/library.ts';

/** What to do first, for an empty list; absent when something is saved. */
export async function firstStep(
  { total }: { total: number },
  library: LibraryService,
  account: string,
  tools: ReadonlySet<string> | undefined,
): Promise<{ hint?: string }> {
  if (total > 0) return {};
  const saved = await library.list(account, { limit: 1, offset: 0 });
  if (saved.total > 0) return {};
  const how =
    tools?.has('save_content') === true
      ? '`save_content` saves a page or video by its URL, or a note.'
      : 'Save a page, a video, a document or a note.';
  return { hint: `Nothing is saved yet. ${how}` };
}
