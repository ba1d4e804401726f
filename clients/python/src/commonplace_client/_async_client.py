"""The asynchronous client. ``_client.py`` is made from this file by ``scripts/sync_client.py``."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import TypeVar

import httpx

from . import models
from ._async_calls import AsyncCalls, AsyncContentCalls, AsyncExportsCalls, AsyncImportsCalls
from ._async_requests import AsyncRequests
from ._shared import is_done, is_processed

State = TypeVar("State", models.TaggedItem, models.Import, models.Export)


class AsyncContent(AsyncContentCalls):
    """What was saved."""

    async def wait_until_processed(
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
        return await _wait(lambda: self.get(content_id), is_processed, timeout, interval, on_progress)


class AsyncImports(AsyncImportsCalls):
    """Files of other programs that the server imports."""

    async def wait_until_done(
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
        return await _wait(lambda: self.get(import_id), is_done, timeout, interval, on_progress)


class AsyncExports(AsyncExportsCalls):
    """The library as a file."""

    async def wait_until_done(
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
        return await _wait(lambda: self.get(export_id), is_done, timeout, interval, on_progress)


class AsyncCommonplace(AsyncCalls):
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
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """Make a client.

        ``base_url`` is without ``/api/v1``; ``timeout`` is for one try, in seconds; ``http_client`` is used as
        it is and is not closed here.
        """
        self._is_own = http_client is None
        http = AsyncRequests(http_client or httpx.AsyncClient(timeout=timeout), base_url, token, max_retries)
        super().__init__(http)
        self.content = AsyncContent(http)
        self.imports = AsyncImports(http)
        self.exports = AsyncExports(http)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._is_own:
            await self._http.client.aclose()

    async def __aenter__(self) -> AsyncCommonplace:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


async def _wait(
    look: Callable[[], Awaitable[State]],
    is_over: Callable[[State], bool],
    timeout: float,
    interval: float,
    on_progress: Callable[[State], object] | None,
) -> State:
    deadline = time.monotonic() + timeout
    while True:
        state = await look()
        if on_progress is not None:
            on_progress(state)
        if is_over(state):
            return state
        if time.monotonic() + interval > deadline:
            raise TimeoutError(f"It is not over after {timeout:g} s.")
        await asyncio.sleep(interval)
