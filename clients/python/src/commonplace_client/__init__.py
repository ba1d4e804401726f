"""A client for the HTTP interface of Commonplace."""

from ._async_client import AsyncCommonplace, AsyncDownload, AsyncList
from ._client import Commonplace, Download, PagedList
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
