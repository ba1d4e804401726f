"""What the two clients share: which requests are sent again, and how a request is written."""

from __future__ import annotations

import random
import re
from typing import Any, cast

import httpx

from . import models
from .errors import CommonplaceError, JobEndedError, ProcessingFailedError

PASSING = frozenset({429, 502, 503, 504})
"""Answers of an overloaded or restarting server, and of a proxy before it."""

FIRST_PAUSE = 0.5
MAX_PAUSE = 30.0


def given(**inputs: Any) -> dict[str, Any]:
    """Return the inputs that were given, by the names that the server knows."""
    return {_camel(name): value for name, value in inputs.items() if value is not None}


def query_of(inputs: dict[str, Any]) -> dict[str, str]:
    """Write inputs as query parameters; an empty list is left out."""
    return {name: _text(value) for name, value in inputs.items() if not isinstance(value, (list, tuple)) or value}


def pause_before_next(error: Exception, tried: int, max_retries: int) -> float | None:
    """Return the seconds to wait before another try; None when there is to be none."""
    if tried >= max_retries:
        return None
    if not isinstance(error, CommonplaceError):
        return backoff(tried)
    if error.status not in PASSING:
        return None
    wait = backoff(tried) if error.retry_after is None else error.retry_after
    return wait if wait <= MAX_PAUSE else None


def backoff(tried: int) -> float:
    """Return a pause that doubles with each try, and is not the same for all clients."""
    return min(MAX_PAUSE, FIRST_PAUSE * 2**tried) * (0.5 + random.random() / 2)


def is_done(job: models.Import | models.Export) -> bool:
    """Return whether a job is done; raise ``JobEndedError`` when it ended otherwise."""
    if job.state in ("waiting", "running"):
        return False
    if job.state != "done":
        raise JobEndedError(job.id, job.state, job.failure)
    return True


def is_processed(item: models.TaggedItem) -> bool:
    """Return whether an item can be found; raise ``ProcessingFailedError`` when it could not be processed."""
    if item.status == "failed" and item.failure is not None:
        raise ProcessingFailedError(item.id, item.failure.code, item.failure.message)
    return item.status == "completed"


def file_name_of(response: httpx.Response) -> str:
    """Return the name that the server gives a file."""
    found = re.search(r'filename="([^"]*)"', response.headers.get("content-disposition", ""))
    return found[1] if found else "download"


def length_of(response: httpx.Response) -> int | None:
    """Return the length of a file in bytes, where the server says so."""
    length = response.headers.get("content-length")
    return None if length is None or "content-encoding" in response.headers else int(length)


def _camel(name: str) -> str:
    first, *others = name.rstrip("_").split("_")
    return first + "".join(other.capitalize() for other in others)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, cast("list[object]", value)))
    return str(value)
