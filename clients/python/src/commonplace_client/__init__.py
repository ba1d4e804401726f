"""A client for the HTTP interface of Commonplace."""

from ._async_client import AsyncCommonplace
from ._async_requests import AsyncDownload, AsyncList
from ._client import Commonplace
from ._requests import Download, PagedList
from .errors import CommonplaceError, JobEndedError, ProcessingFailedError

__all__ = [
    "AsyncCommonplace",
    "AsyncDownload",
    "AsyncList",
    "Commonplace",
    "CommonplaceError",
    "Download",
    "JobEndedError",
    "PagedList",
    "ProcessingFailedError",
]
