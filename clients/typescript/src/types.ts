// Written by `npm run client:types` from the server's OpenAPI document.

/** Why a request was refused (RFC 9457). */
export type Problem = {
  type: string;
  /** What the status means. */
  title: string;
  status: number;
  /** What happened here and what to do next, for a person to read. */
  detail: string;
  /** The reason, for a program to decide by. */
  code:
    | 'invalid_input'
    | 'unauthorized'
    | 'insufficient_scope'
    | 'not_found'
    | 'method_not_allowed'
    | 'conflict'
    | 'precondition_failed'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'range_not_satisfiable'
    | 'rate_limited'
    | 'newer_data'
    | 'unavailable'
    | 'internal';
  /** Each bad field of the request. */
  errors?:
    | {
        /** Dotted path of the field; empty for the whole request. */
        path: string;
        message: string;
      }[]
    | undefined;
};

export type ContentItem = {
  id: string;
  /** As it was saved; null for an uploaded file and for a note of one's own. */
  url: string | null;
  /** Present for an uploaded file: the name that it had. */
  fileName?: string | undefined;
  title: string | null;
  summary: string | null;
  /** Null until the item has been fetched. */
  contentType:
    | 'youtube'
    | 'article'
    | 'pdf'
    | 'video'
    | 'podcast'
    | 'discussion'
    | 'repo'
    | 'post'
    | 'paper'
    | 'feed'
    | 'ebook'
    | 'document'
    | 'text'
    | 'image'
    | null;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Only while it is unfinished: the stage it is at or waits for. */
  progress?: Progress | undefined;
  tags: string[];
  notes: string | null;
  author: string | null;
  siteName: string | null;
  publishedAt: string | null;
  /** ISO 639-1 code. */
  language: string | null;
  wordCount: number | null;
  /** Of video and audio. */
  durationSeconds?: number | undefined;
  /** Of a PDF. */
  pageCount?: number | undefined;
  /** One spelling for all addresses of the same page; null where `url` is. */
  canonicalUrl: string | null;
  createdAt: string;
  processedAt: string | null;
  /** Who wrote summary, insights and actions. */
  analysis: AnalysisInfo | null;
  /** The text was got, but there is something to know about it. */
  warnings: Warning[];
  /** Present when the page is gone, and the text is from a copy: links to places open that. */
  archivedCopy?:
    | {
        /** Opens the copy. */
        url: string;
        /** When the archive made it: YYYY-MM-DD. */
        date: string;
      }
    | undefined;
  /** The id of an older item with the same content. */
  duplicateOf: string | null;
  /** Present while it is deleted. */
  deletedAt?: string | undefined;
  /** A deleted item can be restored until then. */
  restorableUntil?: string | undefined;
  /** Why it failed or waits to be tried again. */
  failure?: Failure | undefined;
  keyInsights: Insight[];
  actions: ActionItem[];
  /** What a person marked in it, in the order of the text: the first ones. Absent when there are none. */
  highlights?:
    | {
        id: string;
        /** The saved item that it is in. */
        contentId: string;
        /** The title of that item. */
        contentTitle: string | null;
        /** The words that were marked, as they were given. */
        quote: string;
        /** The person's own words about it. */
        note: string | null;
        colour: string | null;
        /** found: the locator says where it stands; missing: the text does not have these words; unread: not looked for yet. */
        place: 'found' | 'missing' | 'unread';
        /** Where it stands in the text. */
        locator: Locator | null;
        /** Opens the source at that place. */
        url: string | null;
        /** What another program calls it, when it was imported. */
        source: string | null;
        createdAt: string;
        updatedAt: string;
      }[]
    | undefined;
  /** How many those are, when not all are shown. */
  highlightsTotal?: number | undefined;
  /** The full text or transcript, as Markdown. Absent until there is one. */
  transcript?: string | undefined;
};

export type ContentSummary = {
  id: string;
  /** As it was saved; null for an uploaded file and for a note of one's own. */
  url: string | null;
  /** Present for an uploaded file: the name that it had. */
  fileName?: string | undefined;
  title: string | null;
  summary: string | null;
  /** Null until the item has been fetched. */
  contentType:
    | 'youtube'
    | 'article'
    | 'pdf'
    | 'video'
    | 'podcast'
    | 'discussion'
    | 'repo'
    | 'post'
    | 'paper'
    | 'feed'
    | 'ebook'
    | 'document'
    | 'text'
    | 'image'
    | null;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Only while it is unfinished: the stage it is at or waits for. */
  progress?: Progress | undefined;
  tags: string[];
  notes: string | null;
  author: string | null;
  siteName: string | null;
  publishedAt: string | null;
  /** ISO 639-1 code. */
  language: string | null;
  wordCount: number | null;
  /** Of video and audio. */
  durationSeconds?: number | undefined;
  /** Of a PDF. */
  pageCount?: number | undefined;
  /** One spelling for all addresses of the same page; null where `url` is. */
  canonicalUrl: string | null;
  createdAt: string;
  processedAt: string | null;
  /** Who wrote summary, insights and actions. */
  analysis: AnalysisInfo | null;
  /** The text was got, but there is something to know about it. */
  warnings: Warning[];
  /** Present when the page is gone, and the text is from a copy: links to places open that. */
  archivedCopy?:
    | {
        /** Opens the copy. */
        url: string;
        /** When the archive made it: YYYY-MM-DD. */
        date: string;
      }
    | undefined;
  /** The id of an older item with the same content. */
  duplicateOf: string | null;
  /** Present while it is deleted. */
  deletedAt?: string | undefined;
  /** A deleted item can be restored until then. */
  restorableUntil?: string | undefined;
  /** Why it failed or waits to be tried again. */
  failure?: Failure | undefined;
};

export type Insight = {
  text: string;
  /** An exact slice of the stored text, or null when the insight was not drawn from one place. */
  quote: string | null;
  /** Where the quote stands. */
  locator: Locator | null;
  /** Opens the source at that place. */
  url: string | null;
  /** Present when there is no quote: these are words of the analyst that no place in the text bears out. */
  unquoted?: true | undefined;
  /** The goal that it serves. Absent when it serves none. */
  goalId?: string | undefined;
  /** Why it serves that goal. */
  goalReason?: string | undefined;
};

export type ActionItem = {
  id: string;
  /** The saved item that asks for it. */
  contentId: string;
  /** The title of that item. */
  contentTitle: string | null;
  /** The goal that it serves, if any. */
  goalId: string | null;
  title: string;
  /** Why it serves that goal. */
  goalReason: string | null;
  /** Why it is worth doing, in the words of the text. */
  reason: string | null;
  /** The sentence it came from, an exact slice of the stored text, or of a note on the item (then without a place). */
  quote: string | null;
  /** Where the quote stands. */
  locator: Locator | null;
  /** Opens the source at that place. */
  url: string | null;
  state: 'open' | 'done' | 'dismissed';
  /** True when `state` is `done`. */
  completed: boolean;
  completedAt: string | null;
  /** The day by which it is to be done: 2026-03-31. */
  due: string | null;
  createdAt: string;
  /** Further items that ask for the same. */
  alsoIn?: { contentId: string; quote: string | null; locator: Locator | null; url: string | null }[] | undefined;
  /** How many those are, when not all are shown. */
  alsoInTotal?: number | undefined;
};

export type Goal = {
  id: string;
  title: string;
  category: 'Health' | 'Wealth' | 'Relationships';
  description: string | null;
  createdAt: string;
  /** Archived: listed on demand only, gets no further action items. */
  archivedAt?: string | undefined;
};

export type Locator =
  | {
      kind: 'time';
      /** From the start of the recording. */
      seconds: number;
    }
  | {
      kind: 'page';
      /** Counted from 1. */
      page: number;
    }
  | {
      kind: 'text';
      /** Offset into the transcript, in UTF-16 units. */
      start: number;
      /** Offset of the first unit after it. */
      end: number;
    };

export type Progress = { stage: 'fetch' | 'extract' | 'split' | 'embed' | 'analyse'; attempts: number };

export type Failure = {
  code: string;
  /** What happened and what can be done, for a person to read. */
  message: string;
  /** Whether trying again may help. */
  retryable: boolean;
  attempts: number;
  /** When it is tried again; null when it is not. */
  nextAttemptAt: string | null;
};

export type Warning = {
  code: string;
  /** For a person to read. */
  message: string;
};

export type AnalysisInfo = {
  by: 'extractive' | 'claude' | 'assistant';
  model: string | null;
  at: string;
  /** Entries that were left out: their quote was not found in the text, or does not say what they said. */
  droppedQuotes: number;
  /** Version of the rules by which it was written. */
  promptVersion?: string | undefined;
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  /** What the model cost, in dollars, by the prices of the settings. */
  costUsd?: number | undefined;
  /** What of the text was not read for the analysis. */
  unread?: string | undefined;
};

export type Permission =
  | 'content:read'
  | 'content:write'
  | 'content:delete'
  | 'search:read'
  | 'search:write'
  | 'search:delete'
  | 'actions:read'
  | 'actions:write'
  | 'actions:delete'
  | 'goals:read'
  | 'goals:write'
  | 'goals:delete'
  | 'history:read'
  | 'history:write'
  | 'history:delete'
  | 'keys:read'
  | 'keys:write'
  | 'keys:delete';

export type Key = {
  id: string;
  name: string;
  /** What it may do. Of a token: what its scopes give. */
  permissions: Permission[];
  /** Its own limit; null: that of the server. */
  requestsPerMinute: number | null;
  createdAt: string;
  /** The key that made it; null: it was made on the server itself. */
  madeBy: string | null;
  expiresAt: string | null;
  /** When it was given its present secret in place of another. */
  rotatedAt: string | null;
  /** Until when the secret before works, too. */
  oldSecretUntil: string | null;
  /** The day (UTC) of its last use. */
  lastUsedOn: string | null;
  /** The network of its last use: the first 24 bits of an IPv4 address, 48 of an IPv6 one. */
  lastUsedFrom: string | null;
  revokedAt: string | null;
};

export type KeyWithSecret = {
  id: string;
  name: string;
  /** What it may do. Of a token: what its scopes give. */
  permissions: Permission[];
  /** Its own limit; null: that of the server. */
  requestsPerMinute: number | null;
  createdAt: string;
  /** The key that made it; null: it was made on the server itself. */
  madeBy: string | null;
  expiresAt: string | null;
  /** When it was given its present secret in place of another. */
  rotatedAt: string | null;
  /** Until when the secret before works, too. */
  oldSecretUntil: string | null;
  /** The day (UTC) of its last use. */
  lastUsedOn: string | null;
  /** The network of its last use: the first 24 bits of an IPv4 address, 48 of an IPv6 one. */
  lastUsedFrom: string | null;
  revokedAt: string | null;
  /** What a client sends as its token. Shown once: absent where a repeated request gets the first answer. */
  secret?: string | undefined;
};

export type Import = {
  id: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  /** Why it failed. */
  failure: string | null;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  fileName: string;
  /** Of the file. */
  bytes: number;
  tags: string[];
  /** Bytes that were read; of an archive, unpacked. */
  progress: { done: number; total: number };
  /** What became of the entries. */
  counts: { taken: number; merged: number; skipped: number; failed: number };
  /** What was recognised in the file. */
  formats: string[];
  /** Takes the whole import back, for 30 days; null when nothing was changed. */
  undo: string | null;
};

export type Export = {
  id: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  /** Why it failed. */
  failure: string | null;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  format: 'archive' | 'netscape' | 'csv' | 'jsonl' | 'opml';
  since: string | null;
  /** Items. */
  progress: { done: number; total: number };
  /** How many items the file has. */
  items: number;
  /** Of the file; null until it is whole. */
  bytes: number | null;
  /** A name for the file. */
  fileName: string;
  /** When the file is removed; null until it is whole. */
  expiresAt: string | null;
};

export type ListContentAnswer = {
  items: ContentSummary[];
  total: number;
  limit: number;
  offset: number;
  nextCursor?: string | undefined;
};

export type SaveContentAnswer = {
  id: string;
  /** As it was saved; null for an uploaded file and for a note of one's own. */
  url: string | null;
  /** Present for an uploaded file: the name that it had. */
  fileName?: string | undefined;
  title: string | null;
  summary: string | null;
  /** Null until the item has been fetched. */
  contentType:
    | 'youtube'
    | 'article'
    | 'pdf'
    | 'video'
    | 'podcast'
    | 'discussion'
    | 'repo'
    | 'post'
    | 'paper'
    | 'feed'
    | 'ebook'
    | 'document'
    | 'text'
    | 'image'
    | null;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Only while it is unfinished: the stage it is at or waits for. */
  progress?: Progress | undefined;
  tags: string[];
  notes: string | null;
  author: string | null;
  siteName: string | null;
  publishedAt: string | null;
  /** ISO 639-1 code. */
  language: string | null;
  wordCount: number | null;
  /** Of video and audio. */
  durationSeconds?: number | undefined;
  /** Of a PDF. */
  pageCount?: number | undefined;
  /** One spelling for all addresses of the same page; null where `url` is. */
  canonicalUrl: string | null;
  createdAt: string;
  processedAt: string | null;
  /** Who wrote summary, insights and actions. */
  analysis: AnalysisInfo | null;
  /** The text was got, but there is something to know about it. */
  warnings: Warning[];
  /** Present when the page is gone, and the text is from a copy: links to places open that. */
  archivedCopy?:
    | {
        /** Opens the copy. */
        url: string;
        /** When the archive made it: YYYY-MM-DD. */
        date: string;
      }
    | undefined;
  /** The id of an older item with the same content. */
  duplicateOf: string | null;
  /** Present while it is deleted. */
  deletedAt?: string | undefined;
  /** A deleted item can be restored until then. */
  restorableUntil?: string | undefined;
  /** Why it failed or waits to be tried again. */
  failure?: Failure | undefined;
  keyInsights: Insight[];
  actions: ActionItem[];
  /** What a person marked in it, in the order of the text: the first ones. Absent when there are none. */
  highlights?:
    | {
        id: string;
        /** The saved item that it is in. */
        contentId: string;
        /** The title of that item. */
        contentTitle: string | null;
        /** The words that were marked, as they were given. */
        quote: string;
        /** The person's own words about it. */
        note: string | null;
        colour: string | null;
        /** found: the locator says where it stands; missing: the text does not have these words; unread: not looked for yet. */
        place: 'found' | 'missing' | 'unread';
        /** Where it stands in the text. */
        locator: Locator | null;
        /** Opens the source at that place. */
        url: string | null;
        /** What another program calls it, when it was imported. */
        source: string | null;
        createdAt: string;
        updatedAt: string;
      }[]
    | undefined;
  /** How many those are, when not all are shown. */
  highlightsTotal?: number | undefined;
  outcome: 'created' | 'existed' | 'requeued' | 'restored';
  /** Takes the change back, for 30 days. Absent when nothing was changed. */
  undo?: string | undefined;
};

export type SaveContentAcknowledgement = {
  id: string;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  outcome: 'created' | 'existed' | 'requeued' | 'restored';
};

export type UpdateContentAnswer = {
  id: string;
  /** As it was saved; null for an uploaded file and for a note of one's own. */
  url: string | null;
  /** Present for an uploaded file: the name that it had. */
  fileName?: string | undefined;
  title: string | null;
  summary: string | null;
  /** Null until the item has been fetched. */
  contentType:
    | 'youtube'
    | 'article'
    | 'pdf'
    | 'video'
    | 'podcast'
    | 'discussion'
    | 'repo'
    | 'post'
    | 'paper'
    | 'feed'
    | 'ebook'
    | 'document'
    | 'text'
    | 'image'
    | null;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Only while it is unfinished: the stage it is at or waits for. */
  progress?: Progress | undefined;
  tags: string[];
  notes: string | null;
  author: string | null;
  siteName: string | null;
  publishedAt: string | null;
  /** ISO 639-1 code. */
  language: string | null;
  wordCount: number | null;
  /** Of video and audio. */
  durationSeconds?: number | undefined;
  /** Of a PDF. */
  pageCount?: number | undefined;
  /** One spelling for all addresses of the same page; null where `url` is. */
  canonicalUrl: string | null;
  createdAt: string;
  processedAt: string | null;
  /** Who wrote summary, insights and actions. */
  analysis: AnalysisInfo | null;
  /** The text was got, but there is something to know about it. */
  warnings: Warning[];
  /** Present when the page is gone, and the text is from a copy: links to places open that. */
  archivedCopy?:
    | {
        /** Opens the copy. */
        url: string;
        /** When the archive made it: YYYY-MM-DD. */
        date: string;
      }
    | undefined;
  /** The id of an older item with the same content. */
  duplicateOf: string | null;
  /** Present while it is deleted. */
  deletedAt?: string | undefined;
  /** A deleted item can be restored until then. */
  restorableUntil?: string | undefined;
  /** Why it failed or waits to be tried again. */
  failure?: Failure | undefined;
  keyInsights: Insight[];
  actions: ActionItem[];
  /** What a person marked in it, in the order of the text: the first ones. Absent when there are none. */
  highlights?:
    | {
        id: string;
        /** The saved item that it is in. */
        contentId: string;
        /** The title of that item. */
        contentTitle: string | null;
        /** The words that were marked, as they were given. */
        quote: string;
        /** The person's own words about it. */
        note: string | null;
        colour: string | null;
        /** found: the locator says where it stands; missing: the text does not have these words; unread: not looked for yet. */
        place: 'found' | 'missing' | 'unread';
        /** Where it stands in the text. */
        locator: Locator | null;
        /** Opens the source at that place. */
        url: string | null;
        /** What another program calls it, when it was imported. */
        source: string | null;
        createdAt: string;
        updatedAt: string;
      }[]
    | undefined;
  /** How many those are, when not all are shown. */
  highlightsTotal?: number | undefined;
  /** The full text or transcript, as Markdown. Absent until there is one. */
  transcript?: string | undefined;
  /** Takes the change back, for 30 days. Absent when nothing was changed. */
  undo?: string | undefined;
};

export type UpdateContentAcknowledgement = { id: string; status: 'pending' | 'processing' | 'completed' | 'failed' };

export type DeleteContentAnswer = {
  id: string;
  title: string | null;
  url: string | null;
  deletedAt: string;
  restorableUntil: string;
  /** Takes the change back, for 30 days. Absent when nothing was changed. */
  undo?: string | undefined;
};

export type DeleteContentAcknowledgement = { id: string; deletedAt: string; restorableUntil: string };

export type RestoreContentAnswer = {
  id: string;
  /** As it was saved; null for an uploaded file and for a note of one's own. */
  url: string | null;
  /** Present for an uploaded file: the name that it had. */
  fileName?: string | undefined;
  title: string | null;
  summary: string | null;
  /** Null until the item has been fetched. */
  contentType:
    | 'youtube'
    | 'article'
    | 'pdf'
    | 'video'
    | 'podcast'
    | 'discussion'
    | 'repo'
    | 'post'
    | 'paper'
    | 'feed'
    | 'ebook'
    | 'document'
    | 'text'
    | 'image'
    | null;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Only while it is unfinished: the stage it is at or waits for. */
  progress?: Progress | undefined;
  tags: string[];
  notes: string | null;
  author: string | null;
  siteName: string | null;
  publishedAt: string | null;
  /** ISO 639-1 code. */
  language: string | null;
  wordCount: number | null;
  /** Of video and audio. */
  durationSeconds?: number | undefined;
  /** Of a PDF. */
  pageCount?: number | undefined;
  /** One spelling for all addresses of the same page; null where `url` is. */
  canonicalUrl: string | null;
  createdAt: string;
  processedAt: string | null;
  /** Who wrote summary, insights and actions. */
  analysis: AnalysisInfo | null;
  /** The text was got, but there is something to know about it. */
  warnings: Warning[];
  /** Present when the page is gone, and the text is from a copy: links to places open that. */
  archivedCopy?:
    | {
        /** Opens the copy. */
        url: string;
        /** When the archive made it: YYYY-MM-DD. */
        date: string;
      }
    | undefined;
  /** The id of an older item with the same content. */
  duplicateOf: string | null;
  /** Present while it is deleted. */
  deletedAt?: string | undefined;
  /** A deleted item can be restored until then. */
  restorableUntil?: string | undefined;
  /** Why it failed or waits to be tried again. */
  failure?: Failure | undefined;
  /** Takes the change back, for 30 days. Absent when nothing was changed. */
  undo?: string | undefined;
};

export type RestoreContentAcknowledgement = { id: string; status: 'pending' | 'processing' | 'completed' | 'failed' };

export type UpdateContentsAnswer = {
  items: { id: string; outcome: 'changed' | 'not_found' | 'refused'; message?: string | undefined }[];
  changed: number;
  /** Takes the change back, for 30 days. Absent when nothing was changed. */
  undo?: string | undefined;
};

export type UpdateContentsAcknowledgement = {
  items: { id: string; outcome: 'changed' | 'not_found' | 'refused'; message?: string | undefined }[];
  changed: number;
};

export type SearchAnswer = {
  results: {
    id: string;
    title: string;
    /** Null for an uploaded file and for a note of one's own. */
    url: string | null;
    /** Present when the page is gone, and the text is from a copy: the links of the passages open that. */
    archivedCopy?:
      | {
          /** Opens the copy. */
          url: string;
          /** When the archive made it: YYYY-MM-DD. */
          date: string;
        }
      | undefined;
    /** Null until the item has been fetched. */
    contentType:
      | 'youtube'
      | 'article'
      | 'pdf'
      | 'video'
      | 'podcast'
      | 'discussion'
      | 'repo'
      | 'post'
      | 'paper'
      | 'feed'
      | 'ebook'
      | 'document'
      | 'text'
      | 'image'
      | null;
    /** Present when the text is not there, yet or because reading it failed: found by title, address, tags or notes, without passages. */
    status?: 'pending' | 'failed' | undefined;
    tags: string[];
    score: number;
    /** The goal that moved it up, when the setting goalWeight is on. */
    goal?: { goalId: string; factor: number } | undefined;
    passages: {
      /** An exact slice of the stored text, as Markdown. */
      text: string;
      /** Where words of the question stand in `text`: pairs of offsets, start and end. */
      highlights?: number[][] | undefined;
      /** The headings above it, outermost first. */
      headingPath?: string[] | undefined;
      /** The person's notes on highlights there that have words of the question. */
      notes?: string[] | undefined;
      /** The rest of the passage comes with another cursor. */
      isPart?: true | undefined;
      /** Items that say nearly the same there. */
      alsoIn?: string[] | undefined;
      locator: Locator;
      /** Opens the source at this place; null in an uploaded file and in a note. */
      url: string | null;
      score: number;
    }[];
  }[];
  /** weak: nothing saved is close. Absent where that cannot be told: without a question, or with a model that nobody measured. */
  match?: 'strong' | 'weak' | undefined;
  mode: 'hybrid' | 'lexical';
  /** In place of a query with misspelt words. */
  searchedFor?: string | undefined;
  coverage: { searchable: number; pending: number; failed: number; passagesToEmbed?: number | undefined };
  nextCursor?: string | undefined;
  /** What a weak match means, or what to do first when nothing can be searched yet. */
  hint?: string | undefined;
};

export type SuggestAnswer = {
  suggestions: { text: string; kind: 'query' | 'tag' | 'phrase' | 'title'; id?: string | undefined }[];
};

export type ForgetQueriesAnswer = { forgotten: number };

export type ForgetQueriesAcknowledgement = { forgotten: number };

export type ListActionsAnswer = {
  items: ActionItem[];
  total: number;
  limit: number;
  offset: number;
  nextCursor?: string | undefined;
};

export type CompleteActionAnswer = {
  id: string;
  /** The saved item that asks for it. */
  contentId: string;
  /** The title of that item. */
  contentTitle: string | null;
  /** The goal that it serves, if any. */
  goalId: string | null;
  title: string;
  /** Why it serves that goal. */
  goalReason: string | null;
  /** Why it is worth doing, in the words of the text. */
  reason: string | null;
  /** The sentence it came from, an exact slice of the stored text, or of a note on the item (then without a place). */
  quote: string | null;
  /** Where the quote stands. */
  locator: Locator | null;
  /** Opens the source at that place. */
  url: string | null;
  state: 'open' | 'done' | 'dismissed';
  /** True when `state` is `done`. */
  completed: boolean;
  completedAt: string | null;
  /** The day by which it is to be done: 2026-03-31. */
  due: string | null;
  createdAt: string;
  /** Further items that ask for the same. */
  alsoIn?: { contentId: string; quote: string | null; locator: Locator | null; url: string | null }[] | undefined;
  /** How many those are, when not all are shown. */
  alsoInTotal?: number | undefined;
  /** Takes the change back, for 30 days. Absent when nothing was changed. */
  undo?: string | undefined;
};

export type CompleteActionAcknowledgement = {
  id: string;
  state: 'open' | 'done' | 'dismissed';
  /** True when `state` is `done`. */
  completed: boolean;
};

export type AddActionAnswer = {
  id: string;
  /** The saved item that asks for it. */
  contentId: string;
  /** The title of that item. */
  contentTitle: string | null;
  /** The goal that it serves, if any. */
  goalId: string | null;
  title: string;
  /** Why it serves that goal. */
  goalReason: string | null;
  /** Why it is worth doing, in the words of the text. */
  reason: string | null;
  /** The sentence it came from, an exact slice of the stored text, or of a note on the item (then without a place). */
  quote: string | null;
  /** Where the quote stands. */
  locator: Locator | null;
  /** Opens the source at that place. */
  url: string | null;
  state: 'open' | 'done' | 'dismissed';
  /** True when `state` is `done`. */
  completed: boolean;
  completedAt: string | null;
  /** The day by which it is to be done: 2026-03-31. */
  due: string | null;
  createdAt: string;
  /** Further items that ask for the same. */
  alsoIn?: { contentId: string; quote: string | null; locator: Locator | null; url: string | null }[] | undefined;
  /** How many those are, when not all are shown. */
  alsoInTotal?: number | undefined;
  /** Takes the change back, for 30 days. Absent when nothing was changed. */
  undo?: string | undefined;
};

export type AddActionAcknowledgement = {
  id: string;
  /** The saved item that asks for it. */
  contentId: string;
  state: 'open' | 'done' | 'dismissed';
  /** True when `state` is `done`. */
  completed: boolean;
};

export type UpdateActionAnswer = {
  id: string;
  /** The saved item that asks for it. */
  contentId: string;
  /** The title of that item. */
  contentTitle: string | null;
  /** The goal that it serves, if any. */
  goalId: string | null;
  title: string;
  /** Why it serves that goal. */
  goalReason: string | null;
  /** Why it is worth doing, in the words of the text. */
  reason: string | null;
  /** The sentence it came from, an exact slice of the stored text, or of a note on the item (then without a place). */
  quote: string | null;
  /** Where the quote stands. */
  locator: Locator | null;
  /** Opens the source at that place. */
  url: string | null;
  state: 'open' | 'done' | 'dismissed';
  /** True when `state` is `done`. */
  completed: boolean;
  completedAt: string | null;
  /** The day by which it is to be done: 2026-03-31. */
  due: string | null;
  createdAt: string;
  /** Further items that ask for the same. */
  alsoIn?: { contentId: string; quote: string | null; locator: Locator | null; url: string | null }[] | undefined;
  /** How many those are, when not all are shown. */
  alsoInTotal?: number | undefined;
  /** Takes the change back, for 30 days. Absent when nothing was changed. */
  undo?: string | undefined;
};

export type UpdateActionAcknowledgement = {
  id: string;
  state: 'open' | 'done' | 'dismissed';
  /** True when `state` is `done`. */
  completed: boolean;
};

export type ListPendingActionsAnswer = {
  items: ActionItem[];
  total: number;
  limit: number;
  offset: number;
  nextCursor?: string | undefined;
};

export type ListGoalsAnswer = {
  items: Goal[];
  total: number;
  limit: number;
  offset: number;
  nextCursor?: string | undefined;
};

export type AddGoalAnswer = {
  id: string;
  title: string;
  category: 'Health' | 'Wealth' | 'Relationships';
  description: string | null;
  createdAt: string;
  /** Archived: listed on demand only, gets no further action items. */
  archivedAt?: string | undefined;
  /** Takes the change back, for 30 days. Absent when nothing was changed. */
  undo?: string | undefined;
};

export type AddGoalAcknowledgement = { id: string };

export type UpdateGoalAnswer = {
  id: string;
  title: string;
  category: 'Health' | 'Wealth' | 'Relationships';
  description: string | null;
  createdAt: string;
  /** Archived: listed on demand only, gets no further action items. */
  archivedAt?: string | undefined;
  /** Takes the change back, for 30 days. Absent when nothing was changed. */
  undo?: string | undefined;
};

export type UpdateGoalAcknowledgement = { id: string };

export type ListGoalActionsAnswer = {
  items: ActionItem[];
  total: number;
  limit: number;
  offset: number;
  nextCursor?: string | undefined;
};

export type ListTagsAnswer = {
  items: { tag: string; count: number }[];
  total: number;
  limit: number;
  offset: number;
  nextCursor?: string | undefined;
};

export type RenameTagAnswer = {
  tag: string;
  /** How many items had the old tag. */
  items: number;
  /** Whether items had the new tag already. */
  merged: boolean;
  /** Takes the change back, for 30 days. Absent when nothing was changed. */
  undo?: string | undefined;
};

export type RenameTagAcknowledgement = { tag: string };

export type ListHighlightsAnswer = {
  items: {
    id: string;
    /** The saved item that it is in. */
    contentId: string;
    /** The title of that item. */
    contentTitle: string | null;
    /** The words that were marked, as they were given. */
    quote: string;
    /** The person's own words about it. */
    note: string | null;
    colour: string | null;
    /** found: the locator says where it stands; missing: the text does not have these words; unread: not looked for yet. */
    place: 'found' | 'missing' | 'unread';
    /** Where it stands in the text. */
    locator: Locator | null;
    /** Opens the source at that place. */
    url: string | null;
    /** What another program calls it, when it was imported. */
    source: string | null;
    createdAt: string;
    updatedAt: string;
  }[];
  total: number;
  limit: number;
  offset: number;
  nextCursor?: string | undefined;
};

export type AddHighlightAnswer = {
  id: string;
  /** The saved item that it is in. */
  contentId: string;
  /** The title of that item. */
  contentTitle: string | null;
  /** The words that were marked, as they were given. */
  quote: string;
  /** The person's own words about it. */
  note: string | null;
  colour: string | null;
  /** found: the locator says where it stands; missing: the text does not have these words; unread: not looked for yet. */
  place: 'found' | 'missing' | 'unread';
  /** Where it stands in the text. */
  locator: Locator | null;
  /** Opens the source at that place. */
  url: string | null;
  /** What another program calls it, when it was imported. */
  source: string | null;
  createdAt: string;
  updatedAt: string;
  /** Takes the change back, for 30 days. Absent when nothing was changed. */
  undo?: string | undefined;
};

export type AddHighlightAcknowledgement = { id: string };

export type UpdateHighlightAnswer = {
  id: string;
  /** The saved item that it is in. */
  contentId: string;
  /** The title of that item. */
  contentTitle: string | null;
  /** The words that were marked, as they were given. */
  quote: string;
  /** The person's own words about it. */
  note: string | null;
  colour: string | null;
  /** found: the locator says where it stands; missing: the text does not have these words; unread: not looked for yet. */
  place: 'found' | 'missing' | 'unread';
  /** Where it stands in the text. */
  locator: Locator | null;
  /** Opens the source at that place. */
  url: string | null;
  /** What another program calls it, when it was imported. */
  source: string | null;
  createdAt: string;
  updatedAt: string;
  /** Takes the change back, for 30 days. Absent when nothing was changed. */
  undo?: string | undefined;
};

export type UpdateHighlightAcknowledgement = { id: string };

export type DeleteHighlightAnswer = {
  id: string;
  contentId: string;
  /** Takes the change back, for 30 days. Absent when nothing was changed. */
  undo?: string | undefined;
};

export type DeleteHighlightAcknowledgement = { id: string };

export type HistoryAnswer = {
  items: {
    id: string;
    at: string;
    /** The way in: `page` is the one in a browser. */
    face: 'mcp' | 'rest' | 'cli' | 'page';
    /** Name of the token or of the assistant; null on the machine itself. */
    by: string | null;
    operation: string;
    /** How many rows were changed; `changes` may show the first ones alone. */
    rows: number;
    changes: {
      id: string;
      title: string | null;
      field: string;
      before: string | number | boolean | string[] | null;
      after: string | number | boolean | string[] | null;
    }[];
    /** The change that undid this one. */
    undoneBy?: string | undefined;
    /** The change that this one undid. */
    undoes?: string | undefined;
    /** It came with an export: there is no undo for it. */
    isRestored?: boolean | undefined;
  }[];
  total: number;
  limit: number;
  offset: number;
  nextCursor?: string | undefined;
};

export type UndoAnswer = {
  id: string;
  /** changed_since: it was not undone, because `conflicts` would be overwritten. */
  outcome: 'undone' | 'undone_before' | 'changed_since';
  /** What was undone. */
  operation: string;
  /** How many rows were restored. */
  rows: number;
  conflicts: {
    id: string;
    title: string | null;
    field: string;
    /** What undoing brings back. */
    before: string | number | boolean | string[] | null;
    /** What is there now. */
    now: string | number | boolean | string[] | null;
    canForce: boolean;
    reason: string;
  }[];
  conflictsTotal: number;
  /** Takes the change back, for 30 days. Absent when nothing was changed. */
  undo?: string | undefined;
};

export type ListImportsAnswer = {
  items: Import[];
  total: number;
  limit: number;
  offset: number;
  nextCursor?: string | undefined;
};

export type GetImportAcknowledgement = {
  id: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  /** Bytes that were read; of an archive, unpacked. */
  progress: { done: number; total: number };
  /** What became of the entries. */
  counts: { taken: number; merged: number; skipped: number; failed: number };
  /** Why it failed. */
  failure: string | null;
};

export type CancelImportAcknowledgement = {
  id: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  /** Bytes that were read; of an archive, unpacked. */
  progress: { done: number; total: number };
  /** What became of the entries. */
  counts: { taken: number; merged: number; skipped: number; failed: number };
  /** Why it failed. */
  failure: string | null;
};

export type ResumeImportAcknowledgement = {
  id: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  /** Bytes that were read; of an archive, unpacked. */
  progress: { done: number; total: number };
  /** What became of the entries. */
  counts: { taken: number; merged: number; skipped: number; failed: number };
  /** Why it failed. */
  failure: string | null;
};

export type DeleteImportAcknowledgement = {
  id: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  /** Bytes that were read; of an archive, unpacked. */
  progress: { done: number; total: number };
  /** What became of the entries. */
  counts: { taken: number; merged: number; skipped: number; failed: number };
  /** Why it failed. */
  failure: string | null;
};

export type ListExportsAnswer = {
  items: Export[];
  total: number;
  limit: number;
  offset: number;
  nextCursor?: string | undefined;
};

export type ListKeysAnswer = {
  items: Key[];
  total: number;
  limit: number;
  offset: number;
  nextCursor?: string | undefined;
};

export type CreateKeyAcknowledgement = {
  id: string;
  name: string;
  /** What it may do. Of a token: what its scopes give. */
  permissions: Permission[];
  /** Its own limit; null: that of the server. */
  requestsPerMinute: number | null;
  createdAt: string;
  expiresAt: string | null;
  /** What a client sends as its token. Shown once: absent where a repeated request gets the first answer. */
  secret?: string | undefined;
};

export type RotateKeyAcknowledgement = {
  id: string;
  /** When it was given its present secret in place of another. */
  rotatedAt: string | null;
  /** Until when the secret before works, too. */
  oldSecretUntil: string | null;
  /** What a client sends as its token. Shown once: absent where a repeated request gets the first answer. */
  secret?: string | undefined;
};

export type RevokeKeyAcknowledgement = { id: string; revokedAt: string | null };

export type RelatedAnswer = {
  id: string;
  by: 'meaning' | 'words';
  items: {
    id: string;
    title: string;
    url: string | null;
    contentType:
      | 'youtube'
      | 'article'
      | 'pdf'
      | 'video'
      | 'podcast'
      | 'discussion'
      | 'repo'
      | 'post'
      | 'paper'
      | 'feed'
      | 'ebook'
      | 'document'
      | 'text'
      | 'image';
    tags: string[];
    score: number;
    why: {
      here: { text: string; locator: Locator; url: string | null };
      there: { text: string; locator: Locator; url: string | null };
    }[];
  }[];
};

export type StartImportAcknowledgement = {
  id: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  /** Bytes that were read; of an archive, unpacked. */
  progress: { done: number; total: number };
  /** What became of the entries. */
  counts: { taken: number; merged: number; skipped: number; failed: number };
  /** Why it failed. */
  failure: string | null;
};

export type ListContentInput = {
  /** How many at most. */
  limit?: number | undefined;
  /** How many to pass over, counted from the newest. */
  offset?: number | undefined;
  /** Only items of this kind. */
  contentType?:
    | 'youtube'
    | 'article'
    | 'pdf'
    | 'video'
    | 'podcast'
    | 'discussion'
    | 'repo'
    | 'post'
    | 'paper'
    | 'feed'
    | 'ebook'
    | 'document'
    | 'text'
    | 'image'
    | undefined;
  /** Only items in this state. */
  status?: 'pending' | 'processing' | 'completed' | 'failed' | undefined;
  /** Only items that have all of these tags. */
  tags?: string[] | undefined;
  /** Only items saved on this date or later: 2026, 2026-11 or 2026-11-22, in UTC. */
  savedAfter?: string | undefined;
  /** Only items saved before this date. */
  savedBefore?: string | undefined;
  /** The nextCursor of the page before, with the same other inputs. */
  cursor?: string | undefined;
};

export type SaveContentInput = {
  /** The address of the page, http or https, without user name and password. */
  url?: string | undefined;
  /** Tags, each of 1 to 100 characters without a comma. */
  tags?: string[] | undefined;
  /** Your own words about it. */
  notes?: string | undefined;
  /** The title of what is sent as text, html or captions. */
  title?: string | undefined;
  /** The text of the page (plain or Markdown), if you have it: then nothing is fetched. */
  text?: string | undefined;
  /** The HTML of the page, instead of text. */
  html?: string | undefined;
  /** The captions of the video or recording, instead of text: WebVTT, SRT or a copied transcript with its times, or a list of start and duration in seconds with text. */
  captions?: string | { start: number; duration?: number | undefined; text: string }[] | undefined;
};

export type UpdateContentInput = {
  /** Your own title; empty for the page's. */
  title?: string | null | undefined;
  /** The new text of a note. */
  text?: string | undefined;
  /** All its tags, in place of those before; empty for none. */
  tags?: string[] | null | undefined;
  /** Your own words about it; empty for none. */
  notes?: string | null | undefined;
};

export type UpdateContentsInput = {
  /** The ids of the items. */
  ids: string[];
  /** Tags to take away, whatever their case. */
  removeTags?: string[] | undefined;
  /** Tags to add to those that an item has. */
  addTags?: string[] | undefined;
  /** Your own words about all of them; empty for none. */
  notes?: string | null | undefined;
};

export type SearchInput = {
  /** A question or keywords. It may hold "exact phrases", -word, site:, type:, tag:, and with a date before: and after: (publication), saved:, savedbefore: and savedafter:. */
  query: string;
  /** How many items at most. */
  limit?: number | undefined;
  /** Search only items that match all of these. */
  filters?:
    | {
        /** Only items of this kind. */
        contentType?:
          | 'youtube'
          | 'article'
          | 'pdf'
          | 'video'
          | 'podcast'
          | 'discussion'
          | 'repo'
          | 'post'
          | 'paper'
          | 'feed'
          | 'ebook'
          | 'document'
          | 'text'
          | 'image'
          | undefined;
        /** Only items that have all of these tags. */
        tags?: string[] | undefined;
        /** Only items saved on this date or later: 2026, 2026-11 or 2026-11-22, in UTC. */
        savedAfter?: string | undefined;
        /** Only items saved before this date. */
        savedBefore?: string | undefined;
      }
    | undefined;
};

export type SuggestInput = {
  /** What is typed so far. */
  prefix: string;
  /** How many suggestions at most. */
  limit?: number | undefined;
};

export type ListActionsInput = {
  /** true: those that are done; false: the open ones. */
  completed?: boolean | undefined;
  /** Only those of this saved item. */
  contentId?: string | undefined;
  /** Only those that serve this goal. */
  goalId?: string | undefined;
  /** How many at most. */
  limit?: number | undefined;
  /** How many to pass over, counted from the newest. */
  offset?: number | undefined;
  /** The nextCursor of the page before, with the same other inputs. */
  cursor?: string | undefined;
};

export type AddActionInput = {
  /** What is to be done. */
  title: string;
  /** The saved item that it belongs to; without one, a note is made for it. */
  contentId?: string | undefined;
  /** The goal that it serves. */
  goalId?: string | undefined;
  /** The day by which it is to be done: 2026-03-31. */
  due?: string | undefined;
};

export type UpdateActionInput = {
  /** Its new state. */
  state?: 'open' | 'done' | 'dismissed' | undefined;
  /** Its new title. */
  title?: string | undefined;
  /** The goal that it serves; empty for none. */
  goalId?: string | null | undefined;
  /** The day by which it is to be done; empty for none. */
  due?: string | null | undefined;
};

export type ListPendingActionsInput = {
  /** How many at most. */
  limit?: number | undefined;
  /** How many to pass over, counted from the newest. */
  offset?: number | undefined;
  /** The nextCursor of the page before, with the same other inputs. */
  cursor?: string | undefined;
};

export type ListGoalsInput = {
  /** How many at most. */
  limit?: number | undefined;
  /** How many to pass over, counted from the newest. */
  offset?: number | undefined;
  /** The nextCursor of the page before, with the same other inputs. */
  cursor?: string | undefined;
};

export type AddGoalInput = {
  /** What the user wants to reach. */
  title: string;
  /** Health, Wealth or Relationships. */
  category: 'Health' | 'Wealth' | 'Relationships';
  /** More about it. */
  description?: string | undefined;
};

export type UpdateGoalInput = {
  /** Its new title. */
  title?: string | undefined;
  /** Its new category: Health, Wealth or Relationships. */
  category?: 'Health' | 'Wealth' | 'Relationships' | undefined;
  /** More about it; empty for nothing. */
  description?: string | null | undefined;
  /** true: it gets no new action items; false: it gets them again. */
  archived?: boolean | undefined;
};

export type ListGoalActionsInput = {
  /** How many at most. */
  limit?: number | undefined;
  /** How many to pass over, counted from the newest. */
  offset?: number | undefined;
  /** true: those that are done; false: the open ones. */
  completed?: boolean | undefined;
  /** The nextCursor of the page before, with the same other inputs. */
  cursor?: string | undefined;
};

export type ListTagsInput = {
  /** How many tags at most. */
  limit?: number | undefined;
  /** How many to pass over, counted from the most used. */
  offset?: number | undefined;
  /** The nextCursor of the page before, with the same other inputs. */
  cursor?: string | undefined;
};

export type RenameTagInput = {
  /** The tag to rename, in any case. */
  from: string;
  /** Its new name, as it is to be written from now on. */
  to: string;
};

export type ListHighlightsInput = {
  /** Only those of this saved item, in the order of its text. */
  contentId?: string | undefined;
  /** Only those whose quote or note contains this. */
  query?: string | undefined;
  /** How many at most. */
  limit?: number | undefined;
  /** How many to pass over, counted from the newest. */
  offset?: number | undefined;
  /** The nextCursor of the page before, with the same other inputs. */
  cursor?: string | undefined;
};

export type AddHighlightInput = {
  /** The saved item. */
  contentId: string;
  /** The words to mark, as they stand in its text. */
  quote: string;
  /** Your own words about them. */
  note?: string | undefined;
  /** A colour, such as yellow. */
  colour?: string | undefined;
};

export type UpdateHighlightInput = {
  /** Other words of the text. */
  quote?: string | undefined;
  /** Your own words about them; empty for none. */
  note?: string | null | undefined;
  /** A colour; empty for none. */
  colour?: string | null | undefined;
};

export type HistoryInput = {
  /** Only changes of this item, action item, goal or highlight, or one change (x_…). */
  id?: string | undefined;
  /** How many at most. */
  limit?: number | undefined;
  /** How many to pass over, counted from the newest. */
  offset?: number | undefined;
  /** The nextCursor of the page before, with the same other inputs. */
  cursor?: string | undefined;
};

export type UndoInput = {
  /** Overwrite what was changed since. */
  force?: boolean | undefined;
};

export type ListImportsInput = {
  /** How many at most. */
  limit?: number | undefined;
  /** How many to pass over, counted from the newest. */
  offset?: number | undefined;
  /** The nextCursor of the page before, with the same other inputs. */
  cursor?: string | undefined;
};

export type StartImportInput = {
  /** The name of the file. The report shows it. */
  name?: string | undefined;
  /** Tags for everything that is imported, each of 1 to 100 characters without a comma. */
  tags?: string[] | undefined;
};

export type StartExportInput = {
  /** `archive` is everything, as a ZIP archive; the others are single files for other programs. */
  format?: 'archive' | 'netscape' | 'csv' | 'jsonl' | 'opml' | undefined;
  /** Only what was changed on this date or later: 2026, 2026-11 or 2026-11-22, in UTC. */
  since?: string | undefined;
};

export type ListExportsInput = {
  /** How many at most. */
  limit?: number | undefined;
  /** How many to pass over, counted from the newest. */
  offset?: number | undefined;
  /** The nextCursor of the page before, with the same other inputs. */
  cursor?: string | undefined;
};

export type ListKeysInput = {
  /** How many at most. */
  limit?: number | undefined;
  /** How many to pass over, counted from the newest. */
  offset?: number | undefined;
  /** The nextCursor of the page before, with the same other inputs. */
  cursor?: string | undefined;
};

export type CreateKeyInput = {
  /** What it is for. */
  name: string;
  /** What it may do: no more than the key that makes it. */
  permissions: (
    | 'content:read'
    | 'content:write'
    | 'content:delete'
    | 'search:read'
    | 'search:write'
    | 'search:delete'
    | 'actions:read'
    | 'actions:write'
    | 'actions:delete'
    | 'goals:read'
    | 'goals:write'
    | 'goals:delete'
    | 'history:read'
    | 'history:write'
    | 'history:delete'
    | 'keys:read'
    | 'keys:write'
    | 'keys:delete'
  )[];
  /** After how many days it stops working. Absent: never, or when the key that makes it does. */
  expiresInDays?: number | undefined;
  /** A limit of its own, where it is lower than that of the server. */
  requestsPerMinute?: number | undefined;
};

export type RelatedInput = {
  /** How many items at most. */
  limit?: number | undefined;
};
