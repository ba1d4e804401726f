"""What schemathesis cannot know from the document, and what it is not asked to find. Each exclusion says why."""

from __future__ import annotations

import itertools
import json
import re
from typing import TYPE_CHECKING

import schemathesis
from hypothesis import strategies as st
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.openapi.checks import RejectedPositiveData

if TYPE_CHECKING:
    from schemathesis import Case, HookContext, Response
    from schemathesis.core.failures import Failure

days = st.dates().map(str)
# No pattern knows the calendar, so the document names only the format.
schemathesis.openapi.format(
    "w3cdtf",
    st.one_of(
        days,
        days.map(lambda day: day[:4]),
        days.map(lambda day: day[:7]),
        st.datetimes().map(lambda time: time.isoformat(timespec="milliseconds") + "Z"),
    ),
)

# Requests that the document calls valid, and that are refused with 400 in these words, by what JSON Schema cannot say:
EXPECTED_REFUSALS = [
    # A cursor is opaque: only the answer before holds one.
    "This cursor does not belong to this call.",
    # Captions are a text in one of several formats, and at least one of them says something.
    "captions holds none: give WebVTT or SRT",
    # A text that is sent says something: white space and invisible characters alone do not.
    "is empty: give what the page says",
    # Bytes of a file, written as text, are no text.
    "is no text: ",
    # An address is measured in the form that is stored (a slash behind the host, percent-encoding), which may be longer.
    "url is longer than 2048 characters",
    # No list is that long: the documents leave the bound of exact numbers (2^53 - 1) out, because it says nothing of the product.
    "offset: must be at most 9007199254740991",
    # It depends on what is stored: a note has a text, a page does not.
    "text is only for notes",
    # It depends on what is stored: no two goals have the same title.
    "There is a goal with this title already.",
    # The document says so, by `dependentSchemas`; forms that are made of it in the phase `coverage` have several all the same.
    "only 1 of file, html and text may be given",
    # It depends on what is stored: the goal that an action is to serve.
    "There is no goal with this `goalId`.",
    # They depend on what is stored: no two lists have the same name, and a filter names one that is there.
    "Another list has this name.",
    "There is no list with the name or id",
    # They depend on what is stored: whether a list is by hand or by a query, and what its query names.
    "A list by hand stays one",
    "A query says what is in this list",
    "The query leads back to its own list.",
    "Nothing to change was given.",
    # An answer without an id makes a link with an id that is made up, and the server refuses it by its pattern.
    "contentId: is not a content id",
    "goalId: is not a goal id",
    # Only a parser of URLs knows which texts are hosts.
    "give a host: example.com, example.com/blog or youtube",
    # Whether there is a feed at an address is told by asking it, and only a parser of URLs knows which texts are addresses.
    "There is no feed at this address",
    "This address cannot be read, so it cannot be followed.",
    "has no scheme: put https:// in front",
    "is not a web address: give the full address of a page",
    # It depends on what is stored: whether a source is paused or gone.
    "This source is paused.",
    "There is nothing at the address of this source any more.",
    # A query of invisible characters alone asks for nothing.
    "has no word or operator to list by",
    # Exactly one of the two.
    "Say which items: give either `ids` or a `query`.",
]


# Control characters and white space are taken from a text before its length is measured, so that a longer one may fit.
CLEANED = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


@schemathesis.hook
def filter_failure(context: HookContext, failure: Failure, case: Case, response: Response) -> bool:
    """Whether the failure counts."""
    # Any server refuses an address and headers of more than 16 kB together, before it looks for an operation.
    if response.status_code == 431:
        return False
    if isinstance(failure, RejectedPositiveData) and response.status_code == 400:
        detail = response.json()["detail"]
        return not any(words in detail for words in EXPECTED_REFUSALS)
    # Every value of a form is a text, an empty one is absent, and a list may be one text with commas.
    if isinstance(failure, AcceptedNegativeData) and case.media_type == "multipart/form-data":
        return False
    if isinstance(failure, AcceptedNegativeData) and "maxLength" in failure.message:
        return CLEANED.search(json.dumps([case.body, case.query], default=str, ensure_ascii=False)) is None
    return True


numbers = itertools.count()


@schemathesis.hook
def map_case(context: HookContext, case: Case) -> Case:
    """Lets most requests with a header that refuses them pass: an invented tag is not an item's, and a key is for one request alone."""
    tag = case.headers.get("If-Match") if case.headers else None
    if isinstance(tag, str) and next(numbers) % 2 == 0:
        case.headers["If-Match"] = "*"
    key = case.headers.get("Idempotency-Key") if case.headers else None
    if isinstance(key, str) and re.fullmatch(r"[\x21-\x7e]{1,240}", key) and next(numbers) % 4 != 0:
        case.headers["Idempotency-Key"] = f"{key}-{next(numbers)}"
    return case
