"""Write the synchronous client from the asynchronous one, so that both have the same names."""

import re
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "src" / "commonplace_client"

CHANGES = [
    (
        r"The asynchronous client\. ``_client\.py`` is made.*",
        'The synchronous client, made from ``_async_client.py`` by ``scripts/sync_client.py``."""',
    ),
    (r"AsyncIterable, AsyncIterator, Awaitable, Callable", "Callable, Iterable, Iterator"),
    (r"Awaitable\[Job\]", "Job"),
    (r"import asyncio\n", ""),
    (r"asyncio\.sleep", "time.sleep"),
    (r"httpx\.AsyncClient", "httpx.Client"),
    (r"__a(iter|enter|exit)__", r"__\1__"),
    (r"\ba(close|read)\b", r"\1"),
    (r"\baiter_bytes\b", "iter_bytes"),
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync([A-Z])", r"\1"),
    (r"\bList\b", "PagedList"),
]


def sync_client() -> str:
    """Return the text of ``_client.py``, before it is formatted."""
    text = (FOLDER / "_async_client.py").read_text()
    for pattern, replacement in CHANGES:
        text = re.sub(pattern, replacement, text)
    return text


if __name__ == "__main__":
    (FOLDER / "_client.py").write_text(sync_client())
