"""The records of the server. Written by ``npm run client:models`` from its OpenAPI document."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Record(BaseModel):
    """A record with snake_case names here and camelCase names on the wire; fields that are not known are kept."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="allow")


class ProblemErrors(Record):
    path: str
    """Dotted path of the field; empty for the whole request."""
    message: str


class Problem(Record):
    type: str
    title: str
    """What the status means."""
    status: int
    detail: str
    """What happened here and what to do next, for a person to read."""
    code: (
        Literal[
            "invalid_input",
            "unauthorized",
            "insufficient_scope",
            "not_found",
            "method_not_allowed",
            "conflict",
            "precondition_failed",
            "payload_too_large",
            "unsupported_media_type",
            "range_not_satisfiable",
            "rate_limited",
            "newer_data",
            "unavailable",
            "internal",
        ]
        | str
    )
    """The reason, for a program to decide by."""
    errors: list[ProblemErrors] | None = None
    """Each bad field of the request."""


class ContentItemArchivedCopy(Record):
    url: str
    """Opens the copy."""
    date: str
    """When the archive made it: YYYY-MM-DD."""


class ContentItemHighlights(Record):
    id: str
    content_id: str
    """The saved item that it is in."""
    content_title: str | None
    """The title of that item."""
    quote: str
    """The words that were marked, as they were given."""
    note: str | None
    """The person's own words about it."""
    colour: str | None
    place: Literal["found", "missing", "unread"] | str
    """found: the locator says where it stands; missing: the text does not have these words; unread: not looked for yet."""
    locator: Locator | None
    """Where it stands in the text."""
    url: str | None
    """Opens the source at that place."""
    source: str | None
    """What another program calls it, when it was imported."""
    created_at: str
    updated_at: str


class ContentItem(Record):
    id: str
    url: str | None
    """As it was saved; null for an uploaded file and for a note of one's own."""
    file_name: str | None = None
    """Present for an uploaded file: the name that it had."""
    title: str | None
    summary: str | None
    content_type: (
        Literal[
            "youtube",
            "article",
            "pdf",
            "video",
            "podcast",
            "discussion",
            "repo",
            "post",
            "paper",
            "feed",
            "ebook",
            "document",
            "text",
            "image",
        ]
        | str
        | None
    )
    """Null until the item has been fetched."""
    status: Literal["pending", "processing", "completed", "failed"] | str
    progress: Progress | None = None
    """Only while it is unfinished: the stage it is at or waits for."""
    tags: list[str]
    notes: str | None
    author: str | None
    site_name: str | None
    published_at: str | None
    language: str | None
    """ISO 639-1 code."""
    word_count: int | None
    duration_seconds: float | None = None
    """Of video and audio."""
    page_count: int | None = None
    """Of a PDF."""
    canonical_url: str | None
    """One spelling for all addresses of the same page; null where `url` is."""
    created_at: str
    processed_at: str | None
    analysis: AnalysisInfo | None
    """Who wrote summary, insights and actions."""
    warnings: list[ItemWarning]
    """The text was got, but there is something to know about it."""
    archived_copy: ContentItemArchivedCopy | None = None
    """Present when the page is gone, and the text is from a copy: links to places open that."""
    duplicate_of: str | None
    """The id of an older item with the same content."""
    deleted_at: str | None = None
    """Present while it is deleted."""
    restorable_until: str | None = None
    """A deleted item can be restored until then."""
    failure: Failure | None = None
    """Why it failed or waits to be tried again."""
    key_insights: list[Insight]
    actions: list[ActionItem]
    highlights: list[ContentItemHighlights] | None = None
    """What a person marked in it, in the order of the text: the first ones. Absent when there are none."""
    highlights_total: int | None = None
    """How many those are, when not all are shown."""
    transcript: str | None = None
    """The full text or transcript, as Markdown. Absent until there is one."""


class ContentSummaryArchivedCopy(Record):
    url: str
    """Opens the copy."""
    date: str
    """When the archive made it: YYYY-MM-DD."""


class ContentSummary(Record):
    id: str
    url: str | None
    """As it was saved; null for an uploaded file and for a note of one's own."""
    file_name: str | None = None
    """Present for an uploaded file: the name that it had."""
    title: str | None
    summary: str | None
    content_type: (
        Literal[
            "youtube",
            "article",
            "pdf",
            "video",
            "podcast",
            "discussion",
            "repo",
            "post",
            "paper",
            "feed",
            "ebook",
            "document",
            "text",
            "image",
        ]
        | str
        | None
    )
    """Null until the item has been fetched."""
    status: Literal["pending", "processing", "completed", "failed"] | str
    progress: Progress | None = None
    """Only while it is unfinished: the stage it is at or waits for."""
    tags: list[str]
    notes: str | None
    author: str | None
    site_name: str | None
    published_at: str | None
    language: str | None
    """ISO 639-1 code."""
    word_count: int | None
    duration_seconds: float | None = None
    """Of video and audio."""
    page_count: int | None = None
    """Of a PDF."""
    canonical_url: str | None
    """One spelling for all addresses of the same page; null where `url` is."""
    created_at: str
    processed_at: str | None
    analysis: AnalysisInfo | None
    """Who wrote summary, insights and actions."""
    warnings: list[ItemWarning]
    """The text was got, but there is something to know about it."""
    archived_copy: ContentSummaryArchivedCopy | None = None
    """Present when the page is gone, and the text is from a copy: links to places open that."""
    duplicate_of: str | None
    """The id of an older item with the same content."""
    deleted_at: str | None = None
    """Present while it is deleted."""
    restorable_until: str | None = None
    """A deleted item can be restored until then."""
    failure: Failure | None = None
    """Why it failed or waits to be tried again."""


class Insight(Record):
    text: str
    quote: str | None
    """An exact slice of the stored text, or null when the insight was not drawn from one place."""
    locator: Locator | None
    """Where the quote stands."""
    url: str | None
    """Opens the source at that place."""
    unquoted: Literal[True] | None = None
    """Present when there is no quote: these are words of the analyst that no place in the text bears out."""
    goal_id: str | None = None
    """The goal that it serves. Absent when it serves none."""
    goal_reason: str | None = None
    """Why it serves that goal."""


class ActionItemAlsoIn(Record):
    content_id: str
    quote: str | None
    locator: Locator | None
    url: str | None


class ActionItem(Record):
    id: str
    content_id: str
    """The saved item that asks for it."""
    content_title: str | None
    """The title of that item."""
    goal_id: str | None
    """The goal that it serves, if any."""
    title: str
    goal_reason: str | None
    """Why it serves that goal."""
    reason: str | None
    """Why it is worth doing, in the words of the text."""
    quote: str | None
    """The sentence it came from, an exact slice of the stored text, or of a note on the item (then without a place)."""
    locator: Locator | None
    """Where the quote stands."""
    url: str | None
    """Opens the source at that place."""
    state: Literal["open", "done", "dismissed"] | str
    completed: bool
    """True when `state` is `done`."""
    completed_at: str | None
    due: str | None
    """The day by which it is to be done: 2026-03-31."""
    created_at: str
    also_in: list[ActionItemAlsoIn] | None = None
    """Further items that ask for the same."""
    also_in_total: int | None = None
    """How many those are, when not all are shown."""


class Goal(Record):
    id: str
    title: str
    category: Literal["Health", "Wealth", "Relationships"] | str
    description: str | None
    created_at: str
    archived_at: str | None = None
    """Archived: listed on demand only, gets no further action items."""


class TimeLocator(Record):
    kind: Literal["time"]
    seconds: float
    """From the start of the recording."""


class PageLocator(Record):
    kind: Literal["page"]
    page: int
    """Counted from 1."""


class TextLocator(Record):
    kind: Literal["text"]
    start: int
    """Offset into the transcript, in UTF-16 units."""
    end: int
    """Offset of the first unit after it."""


Locator = TimeLocator | PageLocator | TextLocator


class Progress(Record):
    stage: Literal["fetch", "extract", "split", "embed", "analyse"] | str
    attempts: int


class Failure(Record):
    code: str
    message: str
    """What happened and what can be done, for a person to read."""
    retryable: bool
    """Whether trying again may help."""
    attempts: int
    next_attempt_at: str | None
    """When it is tried again; null when it is not."""


class ItemWarning(Record):
    code: str
    message: str
    """For a person to read."""


class AnalysisInfo(Record):
    by: Literal["extractive", "claude", "assistant"] | str
    model: str | None
    at: str
    dropped_quotes: int
    """Entries that were left out: their quote was not found in the text, or does not say what they said."""
    prompt_version: str | None = None
    """Version of the rules by which it was written."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    """What the model cost, in dollars, by the prices of the settings."""
    unread: str | None = None
    """What of the text was not read for the analysis."""


Permission = (
    Literal[
        "content:read",
        "content:write",
        "content:delete",
        "search:read",
        "search:write",
        "search:delete",
        "actions:read",
        "actions:write",
        "actions:delete",
        "goals:read",
        "goals:write",
        "goals:delete",
        "history:read",
        "history:write",
        "history:delete",
        "keys:read",
        "keys:write",
        "keys:delete",
    ]
    | str
)


class Key(Record):
    id: str
    name: str
    permissions: list[Permission]
    """What it may do. Of a token: what its scopes give."""
    requests_per_minute: int | None
    """Its own limit; null: that of the server."""
    created_at: str
    made_by: str | None
    """The key that made it; null: it was made on the server itself."""
    expires_at: str | None
    rotated_at: str | None
    """When it was given its present secret in place of another."""
    old_secret_until: str | None
    """Until when the secret before works, too."""
    last_used_on: str | None
    """The day (UTC) of its last use."""
    last_used_from: str | None
    """The network of its last use: the first 24 bits of an IPv4 address, 48 of an IPv6 one."""
    revoked_at: str | None


class KeyWithSecret(Record):
    id: str
    name: str
    permissions: list[Permission]
    """What it may do. Of a token: what its scopes give."""
    requests_per_minute: int | None
    """Its own limit; null: that of the server."""
    created_at: str
    made_by: str | None
    """The key that made it; null: it was made on the server itself."""
    expires_at: str | None
    rotated_at: str | None
    """When it was given its present secret in place of another."""
    old_secret_until: str | None
    """Until when the secret before works, too."""
    last_used_on: str | None
    """The day (UTC) of its last use."""
    last_used_from: str | None
    """The network of its last use: the first 24 bits of an IPv4 address, 48 of an IPv6 one."""
    revoked_at: str | None
    secret: str | None = None
    """What a client sends as its token. Shown once: absent where a repeated request gets the first answer."""


class ImportProgress(Record):
    done: int
    total: int


class ImportCounts(Record):
    taken: int
    merged: int
    skipped: int
    failed: int


class Import(Record):
    id: str
    state: Literal["waiting", "running", "done", "failed", "cancelled", "interrupted"] | str
    failure: str | None
    """Why it failed."""
    created_at: str
    started_at: str | None
    ended_at: str | None
    file_name: str
    bytes: int
    """Of the file."""
    tags: list[str]
    progress: ImportProgress
    """Bytes that were read; of an archive, unpacked."""
    counts: ImportCounts
    """What became of the entries."""
    formats: list[str]
    """What was recognised in the file."""
    undo: str | None
    """Takes the whole import back, for 30 days; null when nothing was changed."""


class ExportProgress(Record):
    done: int
    total: int


class Export(Record):
    id: str
    state: Literal["waiting", "running", "done", "failed", "cancelled", "interrupted"] | str
    failure: str | None
    """Why it failed."""
    created_at: str
    started_at: str | None
    ended_at: str | None
    format: Literal["archive", "netscape", "csv", "jsonl", "opml"] | str
    since: str | None
    progress: ExportProgress
    """Items."""
    items: int
    """How many items the file has."""
    bytes: int | None
    """Of the file; null until it is whole."""
    file_name: str
    """A name for the file."""
    expires_at: str | None
    """When the file is removed; null until it is whole."""


class ListContentAnswer(Record):
    items: list[ContentSummary]
    total: int
    limit: int
    offset: int
    next_cursor: str | None = None


class SaveContentAnswerArchivedCopy(Record):
    url: str
    """Opens the copy."""
    date: str
    """When the archive made it: YYYY-MM-DD."""


class SaveContentAnswerHighlights(Record):
    id: str
    content_id: str
    """The saved item that it is in."""
    content_title: str | None
    """The title of that item."""
    quote: str
    """The words that were marked, as they were given."""
    note: str | None
    """The person's own words about it."""
    colour: str | None
    place: Literal["found", "missing", "unread"] | str
    """found: the locator says where it stands; missing: the text does not have these words; unread: not looked for yet."""
    locator: Locator | None
    """Where it stands in the text."""
    url: str | None
    """Opens the source at that place."""
    source: str | None
    """What another program calls it, when it was imported."""
    created_at: str
    updated_at: str


class SaveContentAnswer(Record):
    id: str
    url: str | None
    """As it was saved; null for an uploaded file and for a note of one's own."""
    file_name: str | None = None
    """Present for an uploaded file: the name that it had."""
    title: str | None
    summary: str | None
    content_type: (
        Literal[
            "youtube",
            "article",
            "pdf",
            "video",
            "podcast",
            "discussion",
            "repo",
            "post",
            "paper",
            "feed",
            "ebook",
            "document",
            "text",
            "image",
        ]
        | str
        | None
    )
    """Null until the item has been fetched."""
    status: Literal["pending", "processing", "completed", "failed"] | str
    progress: Progress | None = None
    """Only while it is unfinished: the stage it is at or waits for."""
    tags: list[str]
    notes: str | None
    author: str | None
    site_name: str | None
    published_at: str | None
    language: str | None
    """ISO 639-1 code."""
    word_count: int | None
    duration_seconds: float | None = None
    """Of video and audio."""
    page_count: int | None = None
    """Of a PDF."""
    canonical_url: str | None
    """One spelling for all addresses of the same page; null where `url` is."""
    created_at: str
    processed_at: str | None
    analysis: AnalysisInfo | None
    """Who wrote summary, insights and actions."""
    warnings: list[ItemWarning]
    """The text was got, but there is something to know about it."""
    archived_copy: SaveContentAnswerArchivedCopy | None = None
    """Present when the page is gone, and the text is from a copy: links to places open that."""
    duplicate_of: str | None
    """The id of an older item with the same content."""
    deleted_at: str | None = None
    """Present while it is deleted."""
    restorable_until: str | None = None
    """A deleted item can be restored until then."""
    failure: Failure | None = None
    """Why it failed or waits to be tried again."""
    key_insights: list[Insight]
    actions: list[ActionItem]
    highlights: list[SaveContentAnswerHighlights] | None = None
    """What a person marked in it, in the order of the text: the first ones. Absent when there are none."""
    highlights_total: int | None = None
    """How many those are, when not all are shown."""
    outcome: Literal["created", "existed", "requeued", "restored"] | str
    undo: str | None = None
    """Takes the change back, for 30 days. Absent when nothing was changed."""


class UpdateContentAnswerArchivedCopy(Record):
    url: str
    """Opens the copy."""
    date: str
    """When the archive made it: YYYY-MM-DD."""


class UpdateContentAnswerHighlights(Record):
    id: str
    content_id: str
    """The saved item that it is in."""
    content_title: str | None
    """The title of that item."""
    quote: str
    """The words that were marked, as they were given."""
    note: str | None
    """The person's own words about it."""
    colour: str | None
    place: Literal["found", "missing", "unread"] | str
    """found: the locator says where it stands; missing: the text does not have these words; unread: not looked for yet."""
    locator: Locator | None
    """Where it stands in the text."""
    url: str | None
    """Opens the source at that place."""
    source: str | None
    """What another program calls it, when it was imported."""
    created_at: str
    updated_at: str


class UpdateContentAnswer(Record):
    id: str
    url: str | None
    """As it was saved; null for an uploaded file and for a note of one's own."""
    file_name: str | None = None
    """Present for an uploaded file: the name that it had."""
    title: str | None
    summary: str | None
    content_type: (
        Literal[
            "youtube",
            "article",
            "pdf",
            "video",
            "podcast",
            "discussion",
            "repo",
            "post",
            "paper",
            "feed",
            "ebook",
            "document",
            "text",
            "image",
        ]
        | str
        | None
    )
    """Null until the item has been fetched."""
    status: Literal["pending", "processing", "completed", "failed"] | str
    progress: Progress | None = None
    """Only while it is unfinished: the stage it is at or waits for."""
    tags: list[str]
    notes: str | None
    author: str | None
    site_name: str | None
    published_at: str | None
    language: str | None
    """ISO 639-1 code."""
    word_count: int | None
    duration_seconds: float | None = None
    """Of video and audio."""
    page_count: int | None = None
    """Of a PDF."""
    canonical_url: str | None
    """One spelling for all addresses of the same page; null where `url` is."""
    created_at: str
    processed_at: str | None
    analysis: AnalysisInfo | None
    """Who wrote summary, insights and actions."""
    warnings: list[ItemWarning]
    """The text was got, but there is something to know about it."""
    archived_copy: UpdateContentAnswerArchivedCopy | None = None
    """Present when the page is gone, and the text is from a copy: links to places open that."""
    duplicate_of: str | None
    """The id of an older item with the same content."""
    deleted_at: str | None = None
    """Present while it is deleted."""
    restorable_until: str | None = None
    """A deleted item can be restored until then."""
    failure: Failure | None = None
    """Why it failed or waits to be tried again."""
    key_insights: list[Insight]
    actions: list[ActionItem]
    highlights: list[UpdateContentAnswerHighlights] | None = None
    """What a person marked in it, in the order of the text: the first ones. Absent when there are none."""
    highlights_total: int | None = None
    """How many those are, when not all are shown."""
    transcript: str | None = None
    """The full text or transcript, as Markdown. Absent until there is one."""
    undo: str | None = None
    """Takes the change back, for 30 days. Absent when nothing was changed."""


class DeleteContentAnswer(Record):
    id: str
    title: str | None
    url: str | None
    deleted_at: str
    restorable_until: str
    undo: str | None = None
    """Takes the change back, for 30 days. Absent when nothing was changed."""


class RestoreContentAnswerArchivedCopy(Record):
    url: str
    """Opens the copy."""
    date: str
    """When the archive made it: YYYY-MM-DD."""


class RestoreContentAnswer(Record):
    id: str
    url: str | None
    """As it was saved; null for an uploaded file and for a note of one's own."""
    file_name: str | None = None
    """Present for an uploaded file: the name that it had."""
    title: str | None
    summary: str | None
    content_type: (
        Literal[
            "youtube",
            "article",
            "pdf",
            "video",
            "podcast",
            "discussion",
            "repo",
            "post",
            "paper",
            "feed",
            "ebook",
            "document",
            "text",
            "image",
        ]
        | str
        | None
    )
    """Null until the item has been fetched."""
    status: Literal["pending", "processing", "completed", "failed"] | str
    progress: Progress | None = None
    """Only while it is unfinished: the stage it is at or waits for."""
    tags: list[str]
    notes: str | None
    author: str | None
    site_name: str | None
    published_at: str | None
    language: str | None
    """ISO 639-1 code."""
    word_count: int | None
    duration_seconds: float | None = None
    """Of video and audio."""
    page_count: int | None = None
    """Of a PDF."""
    canonical_url: str | None
    """One spelling for all addresses of the same page; null where `url` is."""
    created_at: str
    processed_at: str | None
    analysis: AnalysisInfo | None
    """Who wrote summary, insights and actions."""
    warnings: list[ItemWarning]
    """The text was got, but there is something to know about it."""
    archived_copy: RestoreContentAnswerArchivedCopy | None = None
    """Present when the page is gone, and the text is from a copy: links to places open that."""
    duplicate_of: str | None
    """The id of an older item with the same content."""
    deleted_at: str | None = None
    """Present while it is deleted."""
    restorable_until: str | None = None
    """A deleted item can be restored until then."""
    failure: Failure | None = None
    """Why it failed or waits to be tried again."""
    undo: str | None = None
    """Takes the change back, for 30 days. Absent when nothing was changed."""


class UpdateContentsAnswerItems(Record):
    id: str
    outcome: Literal["changed", "not_found", "refused"] | str
    message: str | None = None


class UpdateContentsAnswer(Record):
    items: list[UpdateContentsAnswerItems]
    changed: int
    undo: str | None = None
    """Takes the change back, for 30 days. Absent when nothing was changed."""


class SearchAnswerResultsArchivedCopy(Record):
    url: str
    """Opens the copy."""
    date: str
    """When the archive made it: YYYY-MM-DD."""


class SearchAnswerResultsGoal(Record):
    goal_id: str
    factor: float


class SearchAnswerResultsPassages(Record):
    text: str
    """An exact slice of the stored text, as Markdown."""
    highlights: list[list[int]] | None = None
    """Where words of the question stand in `text`: pairs of offsets, start and end."""
    heading_path: list[str] | None = None
    """The headings above it, outermost first."""
    notes: list[str] | None = None
    """The person's notes on highlights there that have words of the question."""
    is_part: Literal[True] | None = None
    """The rest of the passage comes with another cursor."""
    also_in: list[str] | None = None
    """Items that say nearly the same there."""
    locator: Locator
    url: str | None
    """Opens the source at this place; null in an uploaded file and in a note."""
    score: float


class SearchAnswerResults(Record):
    id: str
    title: str
    url: str | None
    """Null for an uploaded file and for a note of one's own."""
    archived_copy: SearchAnswerResultsArchivedCopy | None = None
    """Present when the page is gone, and the text is from a copy: the links of the passages open that."""
    content_type: (
        Literal[
            "youtube",
            "article",
            "pdf",
            "video",
            "podcast",
            "discussion",
            "repo",
            "post",
            "paper",
            "feed",
            "ebook",
            "document",
            "text",
            "image",
        ]
        | str
        | None
    )
    """Null until the item has been fetched."""
    status: Literal["pending", "failed"] | str | None = None
    """Present when the text is not there, yet or because reading it failed: found by title, address, tags or notes, without passages."""
    tags: list[str]
    score: float
    goal: SearchAnswerResultsGoal | None = None
    """The goal that moved it up, when the setting goalWeight is on."""
    passages: list[SearchAnswerResultsPassages]


class SearchAnswerCoverage(Record):
    searchable: int
    pending: int
    failed: int
    passages_to_embed: int | None = None


class SearchAnswer(Record):
    results: list[SearchAnswerResults]
    match: Literal["strong", "weak"] | str | None = None
    """weak: nothing saved is close. Absent where that cannot be told: without a question, or with a model that nobody measured."""
    mode: Literal["hybrid", "lexical"] | str
    searched_for: str | None = None
    """In place of a query with misspelt words."""
    coverage: SearchAnswerCoverage
    next_cursor: str | None = None
    hint: str | None = None
    """What a weak match means, or what to do first when nothing can be searched yet."""


class SuggestAnswerSuggestions(Record):
    text: str
    kind: Literal["query", "tag", "phrase", "title"] | str
    id: str | None = None


class SuggestAnswer(Record):
    suggestions: list[SuggestAnswerSuggestions]


class ForgetQueriesAnswer(Record):
    forgotten: int


class ListActionsAnswer(Record):
    items: list[ActionItem]
    total: int
    limit: int
    offset: int
    next_cursor: str | None = None


class CompleteActionAnswerAlsoIn(Record):
    content_id: str
    quote: str | None
    locator: Locator | None
    url: str | None


class CompleteActionAnswer(Record):
    id: str
    content_id: str
    """The saved item that asks for it."""
    content_title: str | None
    """The title of that item."""
    goal_id: str | None
    """The goal that it serves, if any."""
    title: str
    goal_reason: str | None
    """Why it serves that goal."""
    reason: str | None
    """Why it is worth doing, in the words of the text."""
    quote: str | None
    """The sentence it came from, an exact slice of the stored text, or of a note on the item (then without a place)."""
    locator: Locator | None
    """Where the quote stands."""
    url: str | None
    """Opens the source at that place."""
    state: Literal["open", "done", "dismissed"] | str
    completed: bool
    """True when `state` is `done`."""
    completed_at: str | None
    due: str | None
    """The day by which it is to be done: 2026-03-31."""
    created_at: str
    also_in: list[CompleteActionAnswerAlsoIn] | None = None
    """Further items that ask for the same."""
    also_in_total: int | None = None
    """How many those are, when not all are shown."""
    undo: str | None = None
    """Takes the change back, for 30 days. Absent when nothing was changed."""


class AddActionAnswerAlsoIn(Record):
    content_id: str
    quote: str | None
    locator: Locator | None
    url: str | None


class AddActionAnswer(Record):
    id: str
    content_id: str
    """The saved item that asks for it."""
    content_title: str | None
    """The title of that item."""
    goal_id: str | None
    """The goal that it serves, if any."""
    title: str
    goal_reason: str | None
    """Why it serves that goal."""
    reason: str | None
    """Why it is worth doing, in the words of the text."""
    quote: str | None
    """The sentence it came from, an exact slice of the stored text, or of a note on the item (then without a place)."""
    locator: Locator | None
    """Where the quote stands."""
    url: str | None
    """Opens the source at that place."""
    state: Literal["open", "done", "dismissed"] | str
    completed: bool
    """True when `state` is `done`."""
    completed_at: str | None
    due: str | None
    """The day by which it is to be done: 2026-03-31."""
    created_at: str
    also_in: list[AddActionAnswerAlsoIn] | None = None
    """Further items that ask for the same."""
    also_in_total: int | None = None
    """How many those are, when not all are shown."""
    undo: str | None = None
    """Takes the change back, for 30 days. Absent when nothing was changed."""


class UpdateActionAnswerAlsoIn(Record):
    content_id: str
    quote: str | None
    locator: Locator | None
    url: str | None


class UpdateActionAnswer(Record):
    id: str
    content_id: str
    """The saved item that asks for it."""
    content_title: str | None
    """The title of that item."""
    goal_id: str | None
    """The goal that it serves, if any."""
    title: str
    goal_reason: str | None
    """Why it serves that goal."""
    reason: str | None
    """Why it is worth doing, in the words of the text."""
    quote: str | None
    """The sentence it came from, an exact slice of the stored text, or of a note on the item (then without a place)."""
    locator: Locator | None
    """Where the quote stands."""
    url: str | None
    """Opens the source at that place."""
    state: Literal["open", "done", "dismissed"] | str
    completed: bool
    """True when `state` is `done`."""
    completed_at: str | None
    due: str | None
    """The day by which it is to be done: 2026-03-31."""
    created_at: str
    also_in: list[UpdateActionAnswerAlsoIn] | None = None
    """Further items that ask for the same."""
    also_in_total: int | None = None
    """How many those are, when not all are shown."""
    undo: str | None = None
    """Takes the change back, for 30 days. Absent when nothing was changed."""


class ListPendingActionsAnswer(Record):
    items: list[ActionItem]
    total: int
    limit: int
    offset: int
    next_cursor: str | None = None


class ListGoalsAnswer(Record):
    items: list[Goal]
    total: int
    limit: int
    offset: int
    next_cursor: str | None = None


class AddGoalAnswer(Record):
    id: str
    title: str
    category: Literal["Health", "Wealth", "Relationships"] | str
    description: str | None
    created_at: str
    archived_at: str | None = None
    """Archived: listed on demand only, gets no further action items."""
    undo: str | None = None
    """Takes the change back, for 30 days. Absent when nothing was changed."""


class UpdateGoalAnswer(Record):
    id: str
    title: str
    category: Literal["Health", "Wealth", "Relationships"] | str
    description: str | None
    created_at: str
    archived_at: str | None = None
    """Archived: listed on demand only, gets no further action items."""
    undo: str | None = None
    """Takes the change back, for 30 days. Absent when nothing was changed."""


class ListGoalActionsAnswer(Record):
    items: list[ActionItem]
    total: int
    limit: int
    offset: int
    next_cursor: str | None = None


class ListTagsAnswerItems(Record):
    tag: str
    count: int


class ListTagsAnswer(Record):
    items: list[ListTagsAnswerItems]
    total: int
    limit: int
    offset: int
    next_cursor: str | None = None


class RenameTagAnswer(Record):
    tag: str
    items: int
    """How many items had the old tag."""
    merged: bool
    """Whether items had the new tag already."""
    undo: str | None = None
    """Takes the change back, for 30 days. Absent when nothing was changed."""


class ListHighlightsAnswerItems(Record):
    id: str
    content_id: str
    """The saved item that it is in."""
    content_title: str | None
    """The title of that item."""
    quote: str
    """The words that were marked, as they were given."""
    note: str | None
    """The person's own words about it."""
    colour: str | None
    place: Literal["found", "missing", "unread"] | str
    """found: the locator says where it stands; missing: the text does not have these words; unread: not looked for yet."""
    locator: Locator | None
    """Where it stands in the text."""
    url: str | None
    """Opens the source at that place."""
    source: str | None
    """What another program calls it, when it was imported."""
    created_at: str
    updated_at: str


class ListHighlightsAnswer(Record):
    items: list[ListHighlightsAnswerItems]
    total: int
    limit: int
    offset: int
    next_cursor: str | None = None


class AddHighlightAnswer(Record):
    id: str
    content_id: str
    """The saved item that it is in."""
    content_title: str | None
    """The title of that item."""
    quote: str
    """The words that were marked, as they were given."""
    note: str | None
    """The person's own words about it."""
    colour: str | None
    place: Literal["found", "missing", "unread"] | str
    """found: the locator says where it stands; missing: the text does not have these words; unread: not looked for yet."""
    locator: Locator | None
    """Where it stands in the text."""
    url: str | None
    """Opens the source at that place."""
    source: str | None
    """What another program calls it, when it was imported."""
    created_at: str
    updated_at: str
    undo: str | None = None
    """Takes the change back, for 30 days. Absent when nothing was changed."""


class UpdateHighlightAnswer(Record):
    id: str
    content_id: str
    """The saved item that it is in."""
    content_title: str | None
    """The title of that item."""
    quote: str
    """The words that were marked, as they were given."""
    note: str | None
    """The person's own words about it."""
    colour: str | None
    place: Literal["found", "missing", "unread"] | str
    """found: the locator says where it stands; missing: the text does not have these words; unread: not looked for yet."""
    locator: Locator | None
    """Where it stands in the text."""
    url: str | None
    """Opens the source at that place."""
    source: str | None
    """What another program calls it, when it was imported."""
    created_at: str
    updated_at: str
    undo: str | None = None
    """Takes the change back, for 30 days. Absent when nothing was changed."""


class DeleteHighlightAnswer(Record):
    id: str
    content_id: str
    undo: str | None = None
    """Takes the change back, for 30 days. Absent when nothing was changed."""


class HistoryAnswerItemsChanges(Record):
    id: str
    title: str | None
    field: str
    before: str | float | bool | list[str] | None
    after: str | float | bool | list[str] | None


class HistoryAnswerItems(Record):
    id: str
    at: str
    face: Literal["mcp", "rest", "cli", "page"] | str
    """The way in: `page` is the one in a browser."""
    by: str | None
    """Name of the token or of the assistant; null on the machine itself."""
    operation: str
    rows: int
    """How many rows were changed; `changes` may show the first ones alone."""
    changes: list[HistoryAnswerItemsChanges]
    undone_by: str | None = None
    """The change that undid this one."""
    undoes: str | None = None
    """The change that this one undid."""
    is_restored: bool | None = None
    """It came with an export: there is no undo for it."""


class HistoryAnswer(Record):
    items: list[HistoryAnswerItems]
    total: int
    limit: int
    offset: int
    next_cursor: str | None = None


class UndoAnswerConflicts(Record):
    id: str
    title: str | None
    field: str
    before: str | float | bool | list[str] | None
    """What undoing brings back."""
    now: str | float | bool | list[str] | None
    """What is there now."""
    can_force: bool
    reason: str


class UndoAnswer(Record):
    id: str
    outcome: Literal["undone", "undone_before", "changed_since"] | str
    """changed_since: it was not undone, because `conflicts` would be overwritten."""
    operation: str
    """What was undone."""
    rows: int
    """How many rows were restored."""
    conflicts: list[UndoAnswerConflicts]
    conflicts_total: int
    undo: str | None = None
    """Takes the change back, for 30 days. Absent when nothing was changed."""


class ListImportsAnswer(Record):
    items: list[Import]
    total: int
    limit: int
    offset: int
    next_cursor: str | None = None


class ListExportsAnswer(Record):
    items: list[Export]
    total: int
    limit: int
    offset: int
    next_cursor: str | None = None


class ListKeysAnswer(Record):
    items: list[Key]
    total: int
    limit: int
    offset: int
    next_cursor: str | None = None


class RelatedAnswerItemsWhyHere(Record):
    text: str
    locator: Locator
    url: str | None


class RelatedAnswerItemsWhyThere(Record):
    text: str
    locator: Locator
    url: str | None


class RelatedAnswerItemsWhy(Record):
    here: RelatedAnswerItemsWhyHere
    there: RelatedAnswerItemsWhyThere


class RelatedAnswerItems(Record):
    id: str
    title: str
    url: str | None
    content_type: (
        Literal[
            "youtube",
            "article",
            "pdf",
            "video",
            "podcast",
            "discussion",
            "repo",
            "post",
            "paper",
            "feed",
            "ebook",
            "document",
            "text",
            "image",
        ]
        | str
    )
    tags: list[str]
    score: float
    why: list[RelatedAnswerItemsWhy]


class RelatedAnswer(Record):
    id: str
    by: Literal["meaning", "words"] | str
    items: list[RelatedAnswerItems]


class TaggedItem(ContentItem):
    """An item with the ETag that ``if_match`` takes."""

    etag: str
    undo: str | None = None
