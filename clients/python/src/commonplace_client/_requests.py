"""Generated from ``_async_requests.py`` by ``npm run clients``: the same for the synchronous client."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, Generic, TypeVar

import httpx
from pydantic import TypeAdapter

from . import models
from ._shared import file_name_of, length_of, pause_before_next, query_of
from .errors import CommonplaceError

Model = TypeVar("Model")
Item = TypeVar("Item")


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
            page = (self._http.send("GET", self._path, query=query)).json()
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
        self._address = f"{base_url.rstrip('/')}/api/v1"
        self._headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        self._max_retries = max_retries

    def answer(self, method: str, path: str, model: type[Model], **content: Any) -> Model:
        """Return an answer as its model. ``content`` is what ``send`` takes."""
        return TypeAdapter(model).validate_python((self.send(method, path, **content)).json())

    def tagged(self, method: str, path: str, **content: Any) -> models.TaggedItem:
        """Return an item with its ETag."""
        response = self.send(method, path, **content)
        return models.TaggedItem.model_validate({**response.json(), "etag": response.headers.get("etag", "")})

    def download(self, path: str) -> Download:
        """Begin to read a file."""
        return Download(self.send("GET", path, stream=True))

    def send(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, Any] | None = None,
        body: dict[str, Any] | None = None,
        file: bytes | Iterable[bytes] | None = None,
        key: str | None = None,
        if_match: str | None = None,
        stream: bool = False,
    ) -> httpx.Response:
        """Send a request. It may be repeated: a POST carries a key, others set what they set; a stream is sent once."""
        headers = dict(self._headers)
        if method == "POST":
            headers["Idempotency-Key"] = key or str(uuid.uuid4())
        if if_match is not None:
            headers["If-Match"] = if_match
        if file is not None:
            headers["Content-Type"] = "application/octet-stream"
        if stream:
            headers["Accept"] = "*/*"
        max_retries = self._max_retries if file is None or isinstance(file, bytes) else 0
        tried = 0
        while True:
            try:
                request = self.client.build_request(
                    method, self._address + path, params=query_of(query or {}), json=body, content=file, headers=headers
                )
                response = self.client.send(request, stream=stream)
                if response.is_success:
                    return response
                response.read()
                raise CommonplaceError(response)
            except (CommonplaceError, httpx.TransportError) as error:
                wait = pause_before_next(error, tried, max_retries)
                if wait is None:
                    raise
                time.sleep(wait)
                tried += 1


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
