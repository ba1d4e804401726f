"""Generated from ``_async_client.py`` by ``npm run clients``: the same for the synchronous client."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import TypeVar

import httpx

from . import models
from ._calls import Calls, ContentCalls, ExportsCalls, ImportsCalls
from ._requests import Requests
from ._shared import is_done, is_processed

State = TypeVar("State", models.TaggedItem, models.Import, models.Export)


class Content(ContentCalls):
    """What was saved."""

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
        return _wait(lambda: self.get(content_id), is_processed, timeout, interval, on_progress)


class Imports(ImportsCalls):
    """Files of other programs that the server imports."""

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
        return _wait(lambda: self.get(import_id), is_done, timeout, interval, on_progress)


class Exports(ExportsCalls):
    """The library as a file."""

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
        return _wait(lambda: self.get(export_id), is_done, timeout, interval, on_progress)


class Commonplace(Calls):
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
        http = Requests(http_client or httpx.Client(timeout=timeout), base_url, token, max_retries)
        super().__init__(http)
        self.content = Content(http)
        self.imports = Imports(http)
        self.exports = Exports(http)

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


def _wait(
    look: Callable[[], State],
    is_over: Callable[[State], bool],
    timeout: float,
    interval: float,
    on_progress: Callable[[State], object] | None,
) -> State:
    deadline = time.monotonic() + timeout
    while True:
        state = look()
        if on_progress is not None:
            on_progress(state)
        if is_over(state):
            return state
        if time.monotonic() + interval > deadline:
            raise TimeoutError(f"It is not over after {timeout:g} s.")
        time.sleep(interval)
