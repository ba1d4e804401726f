export type { Key } from '../../src/domain/access/key.ts';
export type { Permission } from '../../src/domain/access/permission.ts';
export type { Scope } from '../../src/domain/records/account.ts';
export type { ActionItem, ActionOrder } from '../../src/domain/records/analyses/action.ts';
import type { ContentItem, ContentSummary } from '../../src/domain/records/content.ts';
export type { ContentItem, ContentStatus, ContentSummary, ContentType } from '../../src/domain/records/content.ts';
import type { PlacedBlock } from '../../src/domain/records/texts/document.ts';
export type { PlacedBlock } from '../../src/domain/records/texts/document.ts';
export type { Goal } from '../../src/domain/records/analyses/goal.ts';
export type { Highlight } from '../../src/domain/records/highlights/highlight.ts';
export type { ItemList } from '../../src/domain/records/list.ts';
export type { Locator } from '../../src/domain/records/texts/locator.ts';
import type { Section } from '../../src/domain/records/texts/outline.ts';
export type { Section } from '../../src/domain/records/texts/outline.ts';
export type { Reading, Shelf } from '../../src/domain/records/content.ts';
export type { ShownEntry, Source } from '../../src/domain/records/sources/source.ts';
export type { ExportJob, ImportJob } from '../../src/domain/records/transfers/library-job.ts';
export type { ItemVersion, ReadVersion } from '../../src/domain/records/content.ts';
import type { ownAccess } from '../../src/operations/account.ts';
import type { updateContents } from '../../src/operations/content/change-content.ts';
import type { history } from '../../src/operations/history.ts';
import type { AnswerOf } from '../../src/operations/operation.ts';
import type * as page from '../../src/operations/page.ts';
import type { related, suggest } from '../../src/operations/related-and-suggest.ts';
import type { listTags } from '../../src/operations/lists.ts';
export type { Choices } from '../../src/http/page/first-document.ts';
export type { ItemNews, LibraryNews } from '../../src/http/page/event-route.ts';
export type { Start } from '../../src/http/page/views.ts';

/* What the operations answer. Types alone: the browser gets no code of them. */

export interface List<Item> {
  items: Item[];
  total: number;
  limit: number;
  offset: number;
}

export type Titles = AnswerOf<typeof page.listTitles>;
/** An item of `list_titles`. */
export type PassedItem = Titles['items'][number];

export type SearchAnswer = AnswerOf<typeof page.searchLibrary>;
export type Found = SearchAnswer['items'][number];
type FoundPassage = Found['passages'][number];
export type Passage = Omit<FoundPassage, 'highlights'> & { highlights?: [start: number, end: number][] };

export type TagCount = AnswerOf<typeof listTags>['items'][number];
export type ManyChanged = AnswerOf<typeof updateContents>;
export type RelatedAnswer = AnswerOf<typeof related>;
export type Suggestions = AnswerOf<typeof suggest>;
export type HistoryEntry = AnswerOf<typeof history>['items'][number];
export type Change = HistoryEntry['changes'][number];

/** What a view knows of an item that it shows; a search result knows less than the list. */
export interface Item
  extends
    Pick<ContentSummary, 'id' | 'title' | 'url' | 'tags'>,
    Partial<
      Pick<
        ContentSummary,
        'notes' | 'status' | 'author' | 'siteName' | 'publishedAt' | 'summary' | 'shelf' | 'readAt' | 'failure'
      >
    >,
    Partial<Pick<ContentItem, 'lists' | 'proposedTags'>> {
  passages?: readonly Pick<Passage, 'text'>[];
}

type State = AnswerOf<typeof page.libraryState>;
/** What a browser has kept of an earlier version has no shelves. */
export type LibraryState = Omit<State, 'shelves'> & Partial<Pick<State, 'shelves'>>;

export type GoalsOverview = AnswerOf<typeof page.goalsOverview>;
export type CountedGoal = GoalsOverview['goals'][number];
/** The lists of the view: open ones are in another one while they are snoozed. */
export type TodoState = keyof CountedGoal['counts'];

export type Review = AnswerOf<typeof page.weeklyReview>;
export type ReadItem = ContentItem & { blocks: PlacedBlock[]; outline: Section[] };
export type OwnAccess = AnswerOf<{ output: typeof ownAccess }>;
