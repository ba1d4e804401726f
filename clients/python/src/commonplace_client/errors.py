"""What the client raises."""

from __future__ import annotations

from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx


class CommonplaceError(Exception):
    """The server refused a request. ``code`` is for programs; the message says to a person what to do next."""

    status: int
    """HTTP status."""
    code: str
    """The reason; ``unknown`` when something between the client and the server answered."""
    errors: list[dict[str, str]]
    """Each bad field of the request: ``path`` and ``message``."""
    request_id: str | None
    """Stands in the server's log beside this request."""
    retry_after: float | None
    """Seconds to wait before the next try, when the server said so."""

    def __init__(self, response: httpx.Response) -> None:
        problem = _problem_of(response)
        super().__init__(problem.get("detail") or f"The server answered {response.status_code}")
        self.status = response.status_code
        self.code = problem.get("code", "unknown")
        self.errors = problem.get("errors", [])
        self.request_id = response.headers.get("x-request-id")
        self.retry_after = _seconds_to_wait(response.headers.get("retry-after"))


class ProcessingFailedError(Exception):
    """An item could not be processed; it keeps what is known of it."""

    def __init__(self, content_id: str, code: str, message: str) -> None:
        super().__init__(message)
        self.content_id = content_id
        self.code = code


class JobEndedError(Exception):
    """An import or an export ended before it was done."""

    def __init__(self, job_id: str, state: str, failure: str | None) -> None:
        super().__init__(failure or f"It was {state}.")
        self.job_id = job_id
        self.state = state
        """``failed``, ``cancelled`` or ``interrupted``: then ``imports.resume`` takes an import up again."""


def _problem_of(response: httpx.Response) -> dict[str, Any]:
    if not response.headers.get("content-type", "").startswith("application/problem+json"):
        return {}
    try:
        return response.json()
    except ValueError:
        return {}


def _seconds_to_wait(header: str | None) -> float | None:
    """Read ``Retry-After``: the server sends seconds, a proxy may send a date."""
    if header is None:
        return None
    if header.strip().isdigit():
        return float(header)
    try:
        date = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (date - datetime.now(timezone.utc)).total_seconds())
