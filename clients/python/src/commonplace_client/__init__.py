"""A client for the HTTP interface of Commonplace."""

from ._async_client import AsyncCommonplace, AsyncList
from ._client import Commonplace, PagedList
from .errors import CommonplaceError, ProcessingFailedError

__all__ = [
    "AsyncCommonplace",
    "AsyncList",
    "Commonplace",
    "CommonplaceError",
    "PagedList",
    "ProcessingFailedError",
]
