import {
  givenTitle,
  notes as notesField,
  tags as tagsField,
  shelf as shelfField,
} from '../../../domain/records/content.ts';
import { type Author, newChange } from '../../../domain/records/change.ts';
import { highlightQuote } from '../../../domain/records/highlights/highlight.ts';
import type { ExportedItem } from '../../../domain/records/transfers/exported.ts';
import { AppError } from '../../../errors.ts';
import {
  asWritten,
  boxesOf,
  harmless,
  markedSpans,
  obsidianTag,
  visibleDocument,
} from '../../../exporting/markdown.ts';
import { digest, digestsOf, type NoteFile, type Upper } from '../../../exporting/vault/note-file.ts';
import type { ActionsService } from '../../analyses/actions.ts';
import type { HighlightsService } from '../highlights.ts';
import type { LibraryService } from '../library.ts';

/** The services that apply a person's edits. */
export interface TakenOverBy {
  services: {
    library: Pick<LibraryService, 'update'>;
    actions: Pick<ActionsService, 'update'>;
    highlights: Pick<HighlightsService, 'add' | 'delete'>;
  };
  /** A sentence for the person. */
  tell(text: string): void;
}

/** A file that a person has changed above the line. */
interface Edited {
  path: string;
  mine: Upper;
  /** The values last written there. */
  written: NonNullable<NoteFile['written']>;
  /** The values to be written now. */
  current: Upper;
}

/** Applies the person's edits to the library as one change. An edit of a field that has also changed there is a conflict. */
export async function takeOver(
  account: string,
  { services, tell }: TakenOverBy,
  item: ExportedItem,
  { path, mine, written, current }: Edited,
): Promise<{ isChanged: boolean; isConflict: boolean }> {
  const author: Author = {
    account,
    change: newChange({
      face: 'vault',
      by: null,
      operation: 'edit_in_vault',
      scopes: ['content:write', 'actions:write'],
    }),
  };
  const said: string[] = [];
  let isConflict = false;
  const make = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      said.push(what);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      isConflict = true;
      tell(`${path}: ${what} could not be taken over. ${error.message}`);
    }
  };
  const [theirs, ours] = [digestsOf(mine.fields), digestsOf(current.fields)];
  const isEdited = (name: keyof Upper['fields']): boolean => {
    const [mineNow, itemNow, before] = [theirs[name], ours[name], written.fields[name]];
    if (mineNow === undefined || mineNow === before || mineNow === itemNow) return false;
    if (itemNow !== before) isConflict = true;
    return itemNow === before;
  };
  const taken = <T>(name: string, result: { success: true; data: T } | { success: false }): T | undefined => {
    if (result.success) return result.data;
    isConflict = true;
    tell(`${path}: ${name} is not valid, and was not taken over.`);
    return undefined;
  };
  if (mine.others === null) {
    isConflict = true;
    tell(
      `${path}: its front matter is not valid YAML, so edits there are not taken over. Put text with a colon in quotes.`,
    );
  }
  // Under other headings, the notes may be elsewhere or have the next section in them.
  const areNotesPlain =
    theirs['headings'] === written.fields['headings'] &&
    (theirs['notes'] !== undefined || written.fields['notes'] === undefined);
  if (!areNotesPlain) {
    isConflict = true;
    tell(
      `${path}: a heading of its sections is gone or changed, so the notes are not taken over. To clear notes, keep the heading.`,
    );
  }
  const { title, tags, notes, shelf } = mine.fields;
  // Tags of a vault have dashes for spaces: one that is known stays as it was.
  const spelt = new Map(item.tags.map((tag) => [obsidianTag(tag), tag]));
  const changes = {
    ...(isEdited('title') && title && { title: taken('title', givenTitle.safeParse(title)) }),
    ...(isEdited('tags') && { tags: taken('tags', tagsField.safeParse(tags?.map((tag) => spelt.get(tag) ?? tag))) }),
    ...(areNotesPlain && isEdited('notes') && { notes: taken('notes', notesField.safeParse(notes)) }),
    ...(isEdited('shelf') && { shelf: taken('shelf', shelfField.safeParse(shelf)) }),
  };
  const given = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (given.length > 0) await make(given.join(', '), () => services.library.update(author, item.id, changes));

  const words = { done: 'completed', open: 'reopened', dismissed: 'dismissed' };
  const idOfLine = new Map(boxesOf(item).map(({ line, id }) => [line, id]));
  const inText = [...mine.boxes].map(
    ([key, { state }]) => [idOfLine.get(current.boxes.get(key)?.line ?? -1) ?? '', { state }] as const,
  );
  for (const [id, { state }] of new Map(
    [...mine.actions, ...inText].filter(([id, { state }]) => state !== written.actions[id]),
  )) {
    const [before, now] = [written.actions[id], current.actions.get(id)?.state];
    if (before === undefined || state === now) continue;
    if (now !== before) isConflict = true;
    else await make(`action ${words[state]}`, () => services.actions.update(author, id, { state }));
  }

  const [marksBefore, marksNow] = [new Set(written.marks), new Set(mine.marks)];
  for (const mark of marksNow) {
    if (marksBefore.has(digest(mark)) || current.marks.includes(mark)) continue;
    const quote = taken('a highlight', highlightQuote.safeParse(asWritten(mark)));
    if (quote !== undefined)
      await make('highlight added', () => services.highlights.add(author, { contentId: item.id, quote }));
  }
  const text = visibleDocument(item)?.text ?? '';
  for (const { id, start, end } of markedSpans(item)) {
    const mark = harmless(text.slice(start, end));
    if (marksNow.has(mark) || !marksBefore.has(digest(mark)) || !mine.text.includes(mark)) continue;
    await make('highlight deleted', () => services.highlights.delete(author, id));
  }
  const { isRecorded, id } = author.change;
  if (said.length > 0)
    tell(`${path}: ${said.join(', ')}.${isRecorded ? ` commonplace undo ${id} takes it back.` : ''}`);
  return { isChanged: isRecorded, isConflict };
}
