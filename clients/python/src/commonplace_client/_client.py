"""The synchronous client, made from ``_async_client.py`` by ``scripts/sync_client.py``."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Generic, TypeVar

import httpx
from pydantic import TypeAdapter

from . import models
from ._shared import api_address, file_name_of, given, is_done, length_of, pause_before_next, query_of, segment
from .errors import CommonplaceError, ProcessingFailedError

Model = TypeVar("Model")
Item = TypeVar("Item")
Job = TypeVar("Job", models.Import, models.Export)


class PagedList(Generic[Item]):
    """A list that is read page by page while it is walked."""

    def __init__(self, http: Requests, path: str, item: type[Item], query: dict[str, Any]) -> None:
        self._http = http
        self._path = path
        self._item = TypeAdapter(item)
        self._query = query

    def pages(self) -> Iterator[list[Item]]:
        """Walk the pages."""
        cursor: str | None = None
        while True:
            query = self._query if cursor is None else {**self._query, "cursor": cursor}
            page, _ = self._http.send("GET", self._path, query=query)
            yield [self._item.validate_python(one) for one in page["items"]]
            cursor = page.get("nextCursor")
            if cursor is None:
                return

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            for item in page:
                yield item


class Requests:
    """Sends requests, and sends them again when that may help."""

    def __init__(self, client: httpx.Client, base_url: str, token: str, max_retries: int) -> None:
        self.client = client
        self._address = api_address(base_url)
        self._headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        self._max_retries = max_retries

    def send(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, Any] | None = None,
        body: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[Any, str | None]:
        """Return the answer and its ETag. Every request may be repeated: writes carry a key, or set what they set."""
        tried = 0
        while True:
            try:
                response = self.client.request(
                    method,
                    self._address + path,
                    params=query_of(query or {}),
                    json=body,
                    headers={**self._headers, **(headers or {})},
                )
                if response.is_success:
                    return response.json(), response.headers.get("etag")
                raise CommonplaceError(response)
            except (CommonplaceError, httpx.TransportError) as error:
                wait = pause_before_next(error, tried, self._max_retries)
                if wait is None:
                    raise
                time.sleep(wait)
                tried += 1

    def upload(self, path: str, file: bytes | Iterable[bytes], query: dict[str, Any], headers: dict[str, str]) -> Any:
        """Send a file, which takes as long as it takes. Bytes are sent again after a failure, a stream is not."""
        tried = 0
        while True:
            try:
                response = self.client.post(
                    self._address + path,
                    params=query_of(query),
                    content=file,
                    headers={**self._headers, "Content-Type": "application/octet-stream", **headers},
                )
                if response.is_success:
                    return response.json()
                raise CommonplaceError(response)
            except (CommonplaceError, httpx.TransportError) as error:
                wait = pause_before_next(error, tried, self._max_retries if isinstance(file, bytes) else 0)
                if wait is None:
                    raise
                time.sleep(wait)
                tried += 1

    def download(self, path: str) -> Download:
        """Begin to read a file."""
        tried = 0
        while True:
            try:
                request = self.client.build_request(
                    "GET", self._address + path, headers={**self._headers, "Accept": "*/*"}
                )
                response = self.client.send(request, stream=True)
                if response.is_success:
                    return Download(response)
                response.read()
                raise CommonplaceError(response)
            except (CommonplaceError, httpx.TransportError) as error:
                wait = pause_before_next(error, tried, self._max_retries)
                if wait is None:
                    raise
                time.sleep(wait)
                tried += 1

    def delete(self, path: str, model: type[Model]) -> Model:
        """Remove a record."""
        answer, _ = self.send("DELETE", path)
        return TypeAdapter(model).validate_python(answer)

    def get(self, path: str, model: type[Model], **query: Any) -> Model:
        """Read one answer."""
        answer, _ = self.send("GET", path, query=given(**query))
        return TypeAdapter(model).validate_python(answer)

    def post(self, path: str, model: type[Model], body: dict[str, Any] | None = None, key: str | None = None) -> Model:
        """Send a write with an idempotency key: a try after a lost answer does nothing twice."""
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        answer, _ = self.send("POST", path, body=body, headers=headers)
        return TypeAdapter(model).validate_python(answer)

    def put(self, path: str, model: type[Model], body: dict[str, Any]) -> Model:
        """Change a record."""
        answer, _ = self.send("PUT", path, body=body)
        return TypeAdapter(model).validate_python(answer)


class Download:
    """A file that the server sends, read piece by piece within ``with``."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.file_name = file_name_of(response)
        self.media_type: str = response.headers.get("content-type", "application/octet-stream")
        self.length: int | None = length_of(response)
        """In bytes; ``None`` where the server does not say."""

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._response.iter_bytes():
            yield piece

    def read(self) -> bytes:
        """Read all of it into memory."""
        return self._response.read()

    def close(self) -> None:
        """Leave the rest unread."""
        self._response.close()

    def __enter__(self) -> Download:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Content:
    """What was saved."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def save(
        self,
        url: str | None = None,
        *,
        title: str | None = None,
        text: str | None = None,
        html: str | None = None,
        captions: str | None = None,
        tags: Sequence[str] | None = None,
        notes: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.SaveContentAnswer:
        """Save a page by its address, or a note of ``title`` and ``text``. It is read in the background."""
        body = given(url=url, title=title, text=text, html=html, captions=captions, tags=tags, notes=notes)
        return self._http.post("/content", models.SaveContentAnswer, body, idempotency_key)

    def get(self, content_id: str) -> models.TaggedItem:
        """Read an item in full. Its ``etag`` is what ``if_match`` takes."""
        return _tagged(*self._http.send("GET", f"/content/{segment(content_id)}"))

    def list(
        self,
        *,
        content_type: str | None = None,
        status: str | None = None,
        tags: Sequence[str] | None = None,
        saved_after: str | None = None,
        saved_before: str | None = None,
        limit: int | None = None,
    ) -> PagedList[models.ContentSummary]:
        """PagedList items, newest first. ``limit`` is the size of a page."""
        query = given(
            content_type=content_type,
            status=status,
            tags=tags,
            saved_after=saved_after,
            saved_before=saved_before,
            limit=limit,
        )
        return PagedList(self._http, "/content", models.ContentSummary, query)

    def update(
        self,
        content_id: str,
        *,
        title: str | None = None,
        tags: Sequence[str] | None = None,
        notes: str | None = None,
        text: str | None = None,
        if_match: str | None = None,
    ) -> models.TaggedItem:
        """Change what is given; an empty text or list clears. Refused with 412 when ``if_match`` is not its ETag."""
        body = given(title=title, tags=tags, notes=notes, text=text)
        headers = {} if if_match is None else {"If-Match": if_match}
        return _tagged(*self._http.send("PUT", f"/content/{segment(content_id)}", body=body, headers=headers))

    def delete(self, content_id: str, *, if_match: str | None = None) -> models.DeleteContentAnswer:
        """Move an item to the trash for 30 days."""
        headers = {} if if_match is None else {"If-Match": if_match}
        answer, _ = self._http.send("DELETE", f"/content/{segment(content_id)}", headers=headers)
        return models.DeleteContentAnswer.model_validate(answer)

    def restore(self, content_id: str) -> models.ContentSummary:
        """Bring a deleted item back."""
        return self._http.post(f"/content/{segment(content_id)}/restore", models.ContentSummary)

    def change_many(
        self,
        ids: Sequence[str],
        *,
        add_tags: Sequence[str] | None = None,
        remove_tags: Sequence[str] | None = None,
        notes: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.UpdateContentsAnswer:
        """Make the same change on up to 100 items. The answer says which were changed."""
        body = given(ids=ids, add_tags=add_tags, remove_tags=remove_tags, notes=notes)
        return self._http.post("/content/changes", models.UpdateContentsAnswer, body, idempotency_key)

    def related(self, content_id: str, *, limit: int | None = None) -> models.RelatedAnswer:
        """Find items with passages close to those of this one."""
        return self._http.get(f"/related/{segment(content_id)}", models.RelatedAnswer, limit=limit)

    def wait_until_processed(
        self,
        content_id: str,
        *,
        timeout: float = 120.0,
        interval: float = 1.0,
        on_progress: Callable[[models.TaggedItem], object] | None = None,
    ) -> models.TaggedItem:
        """Wait until an item can be found and has its summary.

        Raises ``ProcessingFailedError`` when it could not be processed, ``TimeoutError`` after ``timeout`` seconds.
        """
        deadline = time.monotonic() + timeout
        while True:
            item = self.get(content_id)
            if on_progress is not None:
                on_progress(item)
            if item.status == "completed":
                return item
            if item.status == "failed" and item.failure is not None:
                raise ProcessingFailedError(content_id, item.failure.code, item.failure.message)
            if time.monotonic() + interval > deadline:
                raise TimeoutError(f"The item is still {item.status} after {timeout:g} s.")
            time.sleep(interval)


class Actions:
    """Things to do that saved items ask for."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def list(
        self,
        *,
        completed: bool | None = None,
        content_id: str | None = None,
        goal_id: str | None = None,
        limit: int | None = None,
    ) -> PagedList[models.ActionItem]:
        """PagedList action items, the open ones first."""
        query = given(completed=completed, content_id=content_id, goal_id=goal_id, limit=limit)
        return PagedList(self._http, "/actions", models.ActionItem, query)

    def pending(self, *, limit: int | None = None) -> PagedList[models.ActionItem]:
        """PagedList those that are neither done nor dismissed."""
        return PagedList(self._http, "/actions/pending", models.ActionItem, given(limit=limit))

    def complete(self, action_id: str, *, idempotency_key: str | None = None) -> models.ActionItem:
        """Mark an action item done."""
        path = f"/actions/{segment(action_id)}/complete"
        return self._http.post(path, models.ActionItem, None, idempotency_key)

    def update(
        self, action_id: str, *, state: str | None = None, title: str | None = None, goal_id: str | None = None
    ) -> models.ActionItem:
        """Dismiss, reopen or rename an action item, or set its goal (empty for none)."""
        body = given(state=state, title=title, goal_id=goal_id)
        return self._http.put(f"/actions/{segment(action_id)}", models.ActionItem, body)


class Goals:
    """What the user wants to reach."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def list(self, *, limit: int | None = None) -> PagedList[models.Goal]:
        """PagedList goals, newest first."""
        return PagedList(self._http, "/goals", models.Goal, given(limit=limit))

    def add(
        self, title: str, category: str, *, description: str | None = None, idempotency_key: str | None = None
    ) -> models.Goal:
        """Add a goal; ``category`` is Health, Wealth or Relationships."""
        body = given(title=title, category=category, description=description)
        return self._http.post("/goals", models.Goal, body, idempotency_key)

    def update(
        self,
        goal_id: str,
        *,
        title: str | None = None,
        category: str | None = None,
        description: str | None = None,
        archived: bool | None = None,
    ) -> models.Goal:
        """Change a goal."""
        body = given(title=title, category=category, description=description, archived=archived)
        return self._http.put(f"/goals/{segment(goal_id)}", models.Goal, body)

    def actions(
        self, goal_id: str, *, completed: bool | None = None, limit: int | None = None
    ) -> PagedList[models.ActionItem]:
        """PagedList the action items that serve a goal."""
        query = given(completed=completed, limit=limit)
        return PagedList(self._http, f"/goals/{segment(goal_id)}/actions", models.ActionItem, query)


class Highlights:
    """Words that were marked in saved items."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def list(
        self, *, content_id: str | None = None, query: str | None = None, limit: int | None = None
    ) -> PagedList[models.ListHighlightsAnswerItems]:
        """PagedList highlights, newest first; of one item, in the order of its text."""
        inputs = given(content_id=content_id, query=query, limit=limit)
        return PagedList(self._http, "/highlights", models.ListHighlightsAnswerItems, inputs)

    def add(
        self,
        content_id: str,
        quote: str,
        *,
        note: str | None = None,
        colour: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.AddHighlightAnswer:
        """Mark words of an item. ``place`` says whether its text has them."""
        body = given(content_id=content_id, quote=quote, note=note, colour=colour)
        return self._http.post("/highlights", models.AddHighlightAnswer, body, idempotency_key)

    def update(
        self, highlight_id: str, *, quote: str | None = None, note: str | None = None, colour: str | None = None
    ) -> models.UpdateHighlightAnswer:
        """Change what is given; an empty text clears."""
        body = given(quote=quote, note=note, colour=colour)
        return self._http.put(f"/highlights/{segment(highlight_id)}", models.UpdateHighlightAnswer, body)

    def delete(self, highlight_id: str) -> models.DeleteHighlightAnswer:
        """Delete a highlight."""
        answer, _ = self._http.send("DELETE", f"/highlights/{segment(highlight_id)}")
        return models.DeleteHighlightAnswer.model_validate(answer)


class Tags:
    """The tags of saved items."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def list(self, *, limit: int | None = None) -> PagedList[models.ListTagsAnswerItems]:
        """PagedList tags, most used first."""
        return PagedList(self._http, "/tags", models.ListTagsAnswerItems, given(limit=limit))

    def rename(self, from_: str, to: str) -> models.RenameTagAnswer:
        """Rename a tag on all items. When items have the new tag already, the two become one."""
        return self._http.post("/tags/rename", models.RenameTagAnswer, given(from_=from_, to=to))


class Keys:
    """Keys with permissions of their own. It takes a key with permissions for keys; a token has none."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def list(self, *, limit: int | None = None) -> PagedList[models.Key]:
        """PagedList keys and tokens, newest first, without their secrets."""
        return PagedList(self._http, "/keys", models.Key, given(limit=limit))

    def get(self, key_id: str) -> models.Key:
        """Read what a key may do and when it was used."""
        return self._http.get(f"/keys/{segment(key_id)}", models.Key)

    def create(
        self,
        name: str,
        permissions: Sequence[str],
        *,
        expires_in_days: int | None = None,
        requests_per_minute: int | None = None,
    ) -> models.KeyWithSecret:
        """Make a key. Its ``secret`` is shown once: a try after a lost answer is answered without it."""
        body = given(
            name=name,
            permissions=permissions,
            expires_in_days=expires_in_days,
            requests_per_minute=requests_per_minute,
        )
        return self._http.post("/keys", models.KeyWithSecret, body)

    def rotate(self, key_id: str) -> models.KeyWithSecret:
        """Give a key another secret. The one before works for another hour."""
        return self._http.post(f"/keys/{segment(key_id)}/rotate", models.KeyWithSecret)

    def revoke(self, key_id: str) -> models.Key:
        """End a key at once, and all keys that it made."""
        answer, _ = self._http.send("DELETE", f"/keys/{segment(key_id)}")
        return models.Key.model_validate(answer)


class Imports:
    """Files of other programs that the server imports."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def start(
        self,
        file: bytes | Iterable[bytes],
        *,
        name: str | None = None,
        tags: Sequence[str] | None = None,
        idempotency_key: str | None = None,
    ) -> models.Import:
        """Send a file: its bytes, or a stream of pieces, which is sent once and not again after a failure."""
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        answer = self._http.upload("/imports", file, given(name=name, tags=tags), headers)
        return models.Import.model_validate(answer)

    def list(self, *, limit: int | None = None) -> PagedList[models.Import]:
        """PagedList the imports of the last 30 days, newest first."""
        return PagedList(self._http, "/imports", models.Import, given(limit=limit))

    def get(self, import_id: str) -> models.Import:
        """Read how far an import is."""
        return self._http.get(f"/imports/{segment(import_id)}", models.Import)

    def wait_until_done(
        self,
        import_id: str,
        *,
        timeout: float = 3600.0,
        interval: float = 1.0,
        on_progress: Callable[[models.Import], object] | None = None,
    ) -> models.Import:
        """Wait until an import is done.

        Raises ``JobEndedError`` when it ended otherwise, ``TimeoutError`` after ``timeout`` seconds.
        """
        return _wait_until_done(lambda: self.get(import_id), timeout, interval, on_progress)

    def cancel(self, import_id: str) -> models.Import:
        """End an import. What it took stays; its ``undo`` takes that back."""
        return self._http.post(f"/imports/{segment(import_id)}/cancel", models.Import)

    def resume(self, import_id: str) -> models.Import:
        """Take up an import that was interrupted."""
        return self._http.post(f"/imports/{segment(import_id)}/resume", models.Import)

    def delete(self, import_id: str) -> models.Import:
        """Cancel and forget an import. What it took stays."""
        return self._http.delete(f"/imports/{segment(import_id)}", models.Import)

    def report(self, import_id: str) -> Download:
        """Read a table (CSV) of what became of each entry."""
        return self._http.download(f"/imports/{segment(import_id)}/report")


class Exports:
    """The library as a file."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def start(
        self, format: str = "archive", *, since: str | None = None, idempotency_key: str | None = None
    ) -> models.Export:
        """Begin an export: ``archive`` is everything, the others are single files for other programs."""
        return self._http.post("/exports", models.Export, given(format=format, since=since), idempotency_key)

    def list(self, *, limit: int | None = None) -> PagedList[models.Export]:
        """PagedList the exports of the last day, newest first."""
        return PagedList(self._http, "/exports", models.Export, given(limit=limit))

    def get(self, export_id: str) -> models.Export:
        """Read how far an export is."""
        return self._http.get(f"/exports/{segment(export_id)}", models.Export)

    def wait_until_done(
        self,
        export_id: str,
        *,
        timeout: float = 3600.0,
        interval: float = 1.0,
        on_progress: Callable[[models.Export], object] | None = None,
    ) -> models.Export:
        """Wait until an export is done.

        Raises ``JobEndedError`` when it ended otherwise, ``TimeoutError`` after ``timeout`` seconds.
        """
        return _wait_until_done(lambda: self.get(export_id), timeout, interval, on_progress)

    def download(self, export_id: str) -> Download:
        """Read the file of an export that is done. It is kept for a day."""
        return self._http.download(f"/exports/{segment(export_id)}/file")

    def delete(self, export_id: str) -> models.Export:
        """Cancel an export, and remove its file."""
        return self._http.delete(f"/exports/{segment(export_id)}", models.Export)


class Commonplace:
    """A client for ``/api/v1`` of a Commonplace server, which its setting ``apiV1`` switches on.

    Methods raise ``CommonplaceError`` when the server refuses, and ``httpx.TransportError`` when it cannot be reached.
    """

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        max_retries: int = 3,
        timeout: float = 60.0,
        http_client: httpx.Client | None = None,
    ) -> None:
        """Make a client.

        ``base_url`` is without ``/api/v1``; ``timeout`` is for one try, in seconds; ``http_client`` is used as
        it is and is not closed here.
        """
        self._is_own = http_client is None
        client = http_client or httpx.Client(timeout=timeout)
        self._http = Requests(client, base_url, token, max_retries)
        self.content = Content(self._http)
        self.actions = Actions(self._http)
        self.goals = Goals(self._http)
        self.tags = Tags(self._http)
        self.highlights = Highlights(self._http)
        self.keys = Keys(self._http)
        self.imports = Imports(self._http)
        self.exports = Exports(self._http)

    def search(
        self,
        query: str,
        *,
        limit: int | None = None,
        content_type: str | None = None,
        tags: Sequence[str] | None = None,
        saved_after: str | None = None,
        saved_before: str | None = None,
    ) -> models.SearchAnswer:
        """Search everything that was saved, by meaning and by words."""
        filters = given(content_type=content_type, tags=tags, saved_after=saved_after, saved_before=saved_before)
        body = given(query=query, limit=limit, filters=filters or None)
        return self._http.post("/search", models.SearchAnswer, body)

    def suggest(self, prefix: str, *, limit: int | None = None) -> models.SuggestAnswer:
        """Complete what is being typed."""
        return self._http.get("/search/suggestions", models.SuggestAnswer, prefix=prefix, limit=limit)

    def history(
        self, content_id: str | None = None, *, limit: int | None = None
    ) -> PagedList[models.HistoryAnswerItems]:
        """PagedList what was changed, newest first; of one record, when its id is given."""
        return PagedList(self._http, "/history", models.HistoryAnswerItems, given(id=content_id, limit=limit))

    def undo(self, change_id: str, *, force: bool | None = None) -> models.UndoAnswer:
        """Take back a change, by the ``undo`` of its answer. When something was changed since, ``outcome`` says so."""
        return self._http.post(f"/history/{segment(change_id)}/undo", models.UndoAnswer, given(force=force))

    def forget_queries(self) -> models.ForgetQueriesAnswer:
        """Forget the questions that were kept for suggestions."""
        answer, _ = self._http.send("DELETE", "/search/suggestions")
        return models.ForgetQueriesAnswer.model_validate(answer)

    def close(self) -> None:
        """Close the connections."""
        if self._is_own:
            self._http.client.close()

    def __enter__(self) -> Commonplace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _wait_until_done(
    look: Callable[[], Job],
    timeout: float,
    interval: float,
    on_progress: Callable[[Job], object] | None,
) -> Job:
    deadline = time.monotonic() + timeout
    while True:
        job = look()
        if on_progress is not None:
            on_progress(job)
        if is_done(job):
            return job
        if time.monotonic() + interval > deadline:
            raise TimeoutError(f"It is still {job.state} after {timeout:g} s.")
        time.sleep(interval)


def _tagged(answer: Any, etag: str | None) -> models.TaggedItem:
    return models.TaggedItem.model_validate({**answer, "etag": etag or ""})
