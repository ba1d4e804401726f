import type { Key } from '../src/domain/access/key.ts';
import type { Permission } from '../src/domain/access/permission.ts';
import type { Scope } from '../src/domain/records/account.ts';
import type { ActionItem, ActionOrder } from '../src/domain/records/action.ts';
import type { ChangeFace } from '../src/domain/records/change.ts';
import type { ContentItem, ContentStatus, ContentSummary, ContentType } from '../src/domain/records/content.ts';
import type { PlacedBlock } from '../src/domain/records/document.ts';
import type { Goal } from '../src/domain/records/goal.ts';
import type { Highlight } from '../src/domain/records/highlights/highlight.ts';
import type { ExportJob, ImportJob } from '../src/domain/records/transfers/library-job.ts';
import type { ItemList } from '../src/domain/records/lists/item-list.ts';
import type { Locator } from '../src/domain/records/locator.ts';
import type { Reading, Shelf } from '../src/domain/records/shelves.ts';
import type { ItemVersion, ReadVersion } from '../src/domain/records/versions.ts';
import type { ShownEntry, Source } from '../src/domain/records/sources/source.ts';
import type { Section } from '../src/domain/records/outline.ts';

/* What the operations answer, as far as the page shows it. */

export type {
  ActionItem,
  ActionOrder,
  ContentItem,
  ContentStatus,
  ContentSummary,
  ContentType,
  ExportJob,
  Goal,
  Highlight,
  ImportJob,
  ItemList,
  ItemVersion,
  ReadVersion,
  Key,
  Locator,
  Permission,
  PlacedBlock,
  Scope,
  Reading,
  Section,
  Shelf,
  ShownEntry,
  Source,
};

export interface List<Item> {
  items: Item[];
  total: number;
  limit: number;
  offset: number;
}

/** An item of `list_titles`. */
export type PassedItem = [id: string, title: string, kind: ContentType | null, day: string];

export interface Titles {
  items: PassedItem[];
  total: number;
}

export interface Passage {
  text: string;
  highlights?: [start: number, end: number][];
  headingPath?: string[];
  notes?: string[];
  locator: Locator;
  url: string | null;
}

export interface Found {
  item: ContentSummary;
  /** Its text is not there. */
  status?: 'pending' | 'failed';
  passages: Passage[];
}

export interface SearchAnswer {
  results: Found[];
  total: number;
  hasMore?: true;
  isUpperBound?: true;
  match?: 'strong' | 'weak';
  searchedFor?: string;
  coverage: { searchable: number; pending: number; failed: number };
}

export interface TagCount {
  tag: string;
  count: number;
}

export interface ManyChanged {
  items: { id: string; outcome: 'changed' | 'not_found' | 'refused'; message?: string }[];
}

export interface RelatedAnswer {
  items: {
    id: string;
    title: string;
    url: string | null;
    isLinked: boolean;
    why: { there: Pick<Passage, 'text'> }[];
  }[];
}

export interface Suggestions {
  suggestions: { text: string; kind: 'operator' | 'query' | 'tag' | 'phrase' | 'title'; id?: string }[];
}

type ChangedValue = string | number | boolean | string[] | null;

export interface Change {
  id: string;
  title: string | null;
  field: string;
  before: ChangedValue;
  after: ChangedValue;
}

export interface HistoryEntry {
  id: string;
  at: string;
  face: ChangeFace;
  by: string | null;
  operation: string;
  rows: number;
  changes: Change[];
  undoneBy?: string;
  isRestored?: boolean;
}

/** What a view knows of an item that it shows; a search result knows less than the list. */
export interface Item
  extends
    Pick<ContentSummary, 'id' | 'title' | 'url' | 'tags'>,
    Partial<
      Pick<ContentSummary, 'notes' | 'status' | 'author' | 'siteName' | 'publishedAt' | 'summary' | 'shelf' | 'readAt'>
    >,
    Partial<Pick<ContentItem, 'lists' | 'proposedTags'>> {
  passages?: readonly Pick<Passage, 'text'>[];
}

export interface LibraryState {
  searchable: number;
  pending: number;
  failed: number;
  kinds: { kind: ContentType; count: number }[];
  /** Absent in what a browser has kept of an earlier version. */
  shelves?: Record<Shelf, number>;
}

export type ActionState = ActionItem['state'];

/** The lists of the view: open ones are in another one while they are snoozed. */
export type TodoState = ActionState | 'snoozed';

type Counts = Record<TodoState, number>;

export type CountedGoal = Goal & { counts: Counts };

export interface GoalsOverview {
  goals: CountedGoal[];
  withoutGoal: Counts;
}

export interface Counted<Item> {
  total: number;
  items: Item[];
}

export interface ReviewedItem extends Pick<ContentSummary, 'id' | 'title' | 'url' | 'contentType' | 'status'> {
  savedAt: string;
  summary?: string;
  problem?: string;
}

export interface ReviewedAction {
  id: string;
  title: string;
  goal: string | null;
  url: string | null;
  daysOpen?: number;
  due?: string;
  priority?: ActionItem['priority'];
}

export interface ReviewedGoal {
  id: string;
  title: string;
  openActions: number;
  doneThisWeek: number;
}

export interface Review {
  from: string;
  to: string;
  saved: Counted<ReviewedItem>;
  finished: Counted<ReviewedItem>;
  failed: Counted<ReviewedItem>;
  stuck: Counted<ReviewedItem>;
  actionsOverdue: Counted<ReviewedAction>;
  actionsDue: Counted<ReviewedAction>;
  actionsDone: Counted<ReviewedAction>;
  actionsOpen: Counted<ReviewedAction>;
  actionsNeglected: Counted<ReviewedAction>;
  goalsWithProgress: Counted<ReviewedGoal>;
  goalsWithoutProgress: Counted<ReviewedGoal>;
}

/** What the stream of events says of an item. */
export type ItemNews = Pick<ContentSummary, 'id' | 'title' | 'url' | 'status' | 'progress' | 'failure'>;

export interface LibraryNews {
  items: ItemNews[];
  counts?: Pick<LibraryState, 'searchable' | 'pending' | 'failed'>;
  isWritten?: true;
}

export type ReadItem = ContentItem & {
  blocks: PlacedBlock[];
  outline: Section[];
};

export interface TokenInfo {
  id: string;
  name: string;
  scopes: Scope[];
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  heldTo: Key['heldTo'];
}

export interface OwnAccess {
  /** The name with which the person signs in. */
  name: string | null;
  sessions: { id: string; browser: string; createdAt: string; lastUsedAt: string }[];
  tokens: TokenInfo[];
  keys: Key[];
  assistants: (Omit<TokenInfo, 'expiresAt' | 'heldTo'> & { host: string })[];
}
