"""Write the synchronous client from the asynchronous one, so that both have the same names."""

import re
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "src" / "commonplace_client"

FILES = ("_client", "_requests", "_calls")

CHANGES = [
    (
        r'^"""[^"]*"""',
        '"""Generated from ``_async{}.py`` by ``npm run clients``: the same for the synchronous client."""',
    ),
    (r"AsyncIterable, AsyncIterator", "Iterable, Iterator"),
    (r"AsyncIterable, Mapping", "Iterable, Mapping"),
    (r"Awaitable, Callable", "Callable"),
    (r"Awaitable\[State\]", "State"),
    (r"import asyncio\n", "import time\n"),
    (r"import time\nimport time\n", "import time\n"),
    (r"asyncio\.sleep", "time.sleep"),
    (r"httpx\.AsyncClient", "httpx.Client"),
    (r"__a(iter|enter|exit)__", r"__\1__"),
    (r"\ba(close|read)\b", r"\1"),
    (r"\baiter_bytes\b", "iter_bytes"),
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\._async_", "._"),
    (r"\bAsync([A-Z])", r"\1"),
    (r"\bList\b", "PagedList"),
]


def sync_file(name: str) -> str:
    """Return the text of a synchronous file, before it is formatted."""
    text = (FOLDER / f"_async{name}.py").read_text()
    for pattern, replacement in CHANGES:
        text = re.sub(pattern, replacement.replace("{}", name), text)
    return text


if __name__ == "__main__":
    for name in FILES:
        (FOLDER / f"{name}.py").write_text(sync_file(name))
