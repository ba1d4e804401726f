"""Run by ``npm run test:python`` of the repository, which starts a server and a site."""

import asyncio
import os
import re
import runpy
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path

import httpx
import pytest

from commonplace_client import AsyncCommonplace, Commonplace, CommonplaceError, JobEndedError, ProcessingFailedError

URL = os.environ["COMMONPLACE_URL"]
TOKEN = os.environ["COMMONPLACE_TOKEN"]
SITE = os.environ["TEST_SITE"]


@pytest.fixture
def client() -> Iterator[Commonplace]:
    with Commonplace(f"{URL}/", TOKEN) as client:
        yield client


@contextmanager
def proxy(answer: Callable[[BaseHTTPRequestHandler, bytes], None]) -> Iterator[str]:
    """Something between the client and the server, which may answer in its place."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            answer(self, self.rfile.read(int(self.headers.get("content-length", 0))))

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_whole_way(client: Commonplace) -> None:
    seen: list[str] = []
    saved = client.content.save(f"{SITE}/sleep", tags=["python"])
    assert saved.outcome == "created"
    item = client.content.wait_until_processed(
        saved.id, interval=0.05, on_progress=lambda item: seen.append(item.status)
    )
    assert item.title == "What helps to sleep"
    assert seen[-1] == "completed"
    assert [result.id for result in client.search("bed", tags=["python"]).results] == [saved.id]
    assert client.suggest("what").suggestions[0].text == "What helps to sleep"
    assert client.content.related(saved.id).id == saved.id
    changed = client.content.update(saved.id, notes="mine", if_match=item.etag)
    assert changed.notes == "mine"
    with pytest.raises(CommonplaceError) as late:
        client.content.update(saved.id, notes="lost", if_match=item.etag)
    assert (late.value.status, late.value.code) == (412, "precondition_failed")
    assert client.content.update(saved.id, tags=[], if_match=changed.etag).tags == []
    assert client.content.change_many([saved.id], add_tags=["again"]).changed == 1
    assert client.content.delete(saved.id).id == saved.id
    assert client.content.restore(saved.id).tags == ["again"]


def test_lists(client: Commonplace) -> None:
    for index in range(5):
        client.content.save(title=f"Python note {index}", text=f"Text {index}.", tags=["walk"])
    titles = [item.title for item in client.content.list(tags=["walk"], limit=2)]
    assert titles == [f"Python note {index}" for index in (4, 3, 2, 1, 0)]
    assert [len(page) for page in client.content.list(tags=["walk"], limit=3).pages()] == [3, 2]
    assert "walk" in [tag.tag for tag in client.tags.list(limit=1)]
    assert client.tags.rename("walk", "walked").items == 5


def test_highlights_and_history(client: Commonplace) -> None:
    item = client.content.save(title="Marked", text="Cold rooms are good for sleep, in Python.")
    marked = client.highlights.add(item.id, "Cold rooms", note="Mine")
    assert client.highlights.update(marked.id, colour="blue").colour == "blue"
    assert [one.quote for one in client.highlights.list(content_id=item.id)] == ["Cold rooms"]
    changed = client.content.update(item.id, notes="wrong")
    assert client.undo(changed.undo or "").outcome == "undone"
    assert [one.operation for one in client.history(item.id)][:2] == ["undo", "update_content"]
    assert client.highlights.delete(marked.id).id == marked.id


def test_keys(client: Commonplace) -> None:
    made = client.keys.create("reader", ["content:read"], expires_in_days=1)
    with Commonplace(URL, made.secret or "") as reader:
        assert next(iter(reader.content.list(limit=1).pages())) is not None
        with pytest.raises(CommonplaceError) as refused:
            reader.goals.add("No", "Health")
        assert refused.value.status == 403
        rotated = client.keys.rotate(made.id)
        assert rotated.secret != made.secret
        assert client.keys.get(made.id).old_secret_until == rotated.old_secret_until
        assert "reader" in [one.name for one in client.keys.list(limit=1)]
        assert client.keys.revoke(made.id).revoked_at is not None
        with pytest.raises(CommonplaceError) as ended:
            reader.content.get("c_aaaaaaaaaaaaaaaa")
        assert ended.value.status == 401


def test_goals_and_actions(client: Commonplace) -> None:
    goal = client.goals.add("Sleep longer", "Health")
    assert client.goals.update(goal.id, description="Early").description == "Early"
    assert goal.id in [one.id for one in client.goals.list()]
    assert list(client.goals.actions(goal.id)) == []
    assert all(not action.completed for action in client.actions.pending())
    assert list(client.actions.list(goal_id=goal.id, completed=False)) == []
    with pytest.raises(CommonplaceError) as unknown:
        client.actions.complete("a_aaaaaaaaaaaaaaaa")
    assert unknown.value.code == "not_found"
    assert client.forget_queries().forgotten >= 0


def test_refusals(client: Commonplace) -> None:
    with pytest.raises(CommonplaceError) as refused:
        client.content.list(limit=1000).pages().__iter__().__next__()
    assert refused.value.errors[0]["path"] == "limit"
    assert refused.value.request_id
    with pytest.raises(CommonplaceError, match="token"):
        Commonplace(URL, "cpl_wrong").content.get("c_1")
    failing = client.content.save(f"{SITE}/missing")
    with pytest.raises(ProcessingFailedError):
        client.content.wait_until_processed(failing.id, interval=0.05)
    with pytest.raises(TimeoutError):
        client.content.wait_until_processed(client.content.save(title="t", text="Not yet.").id, timeout=0)


def pieces(name: str) -> Iterator[bytes]:
    for index in range(3):
        yield f"https://example.org/{name}/{index}\n".encode()


def test_imports(client: Commonplace) -> None:
    begun = client.imports.start(b"".join(pieces("bytes")), name="list.txt", tags=["bytes"])
    seen: list[str] = []
    done = client.imports.wait_until_done(begun.id, interval=0.05, on_progress=lambda job: seen.append(job.state))
    assert (done.counts.taken, done.file_name, done.tags, seen[-1]) == (3, "list.txt", ["bytes"], "done")
    streamed = client.imports.start(pieces("stream"))
    assert client.imports.wait_until_done(streamed.id, interval=0.05).counts.taken == 3
    with client.imports.report(begun.id) as report:
        assert (report.file_name, report.media_type) == ("report.csv", "text/csv; charset=utf-8")
        assert len(report.read().splitlines()) == 4
    assert [one.id for one in client.imports.list(limit=1)] == [streamed.id, begun.id]
    assert client.imports.cancel(begun.id).state == "done"
    with pytest.raises(CommonplaceError) as ended:
        client.imports.resume(begun.id)
    assert ended.value.code == "conflict"
    assert client.imports.delete(begun.id).id == begun.id
    broken = client.imports.start(b"PK\x03\x04 and nothing more")
    with pytest.raises(JobEndedError, match="cannot be imported") as failed:
        client.imports.wait_until_done(broken.id, interval=0.05)
    assert (failed.value.job_id, failed.value.state) == (broken.id, "failed")


def test_exports(client: Commonplace) -> None:
    begun = client.exports.start("jsonl")
    done = client.exports.wait_until_done(begun.id, interval=0.05)
    with client.exports.download(begun.id) as file:
        assert (file.file_name, file.media_type, file.length) == (done.file_name, "application/jsonl", done.bytes)
        assert len(b"".join(file).splitlines()) == done.items
    assert [one.id for one in client.exports.list()] == [begun.id]
    assert client.exports.delete(begun.id).id == begun.id
    with pytest.raises(CommonplaceError) as gone:
        client.exports.download(begun.id)
    assert gone.value.code == "not_found"


def test_a_stream_is_sent_once_and_bytes_again() -> None:
    asked: list[int] = []

    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        asked.append(len(body))
        if len(asked) == 2:
            given = httpx.post(f"{URL}{handler.path}", content=body, headers={"Authorization": f"Bearer {TOKEN}"})
            handler.send_response(given.status_code)
            handler.end_headers()
            handler.wfile.write(given.content)
            return
        handler.send_response(503)
        handler.send_header("Retry-After", "0")
        handler.end_headers()

    with proxy(answer) as address, Commonplace(address, TOKEN) as client:
        assert client.imports.start(b"https://example.org/again\n").bytes == 26
        assert asked == [26, 26]
        with pytest.raises(CommonplaceError):
            client.imports.start(iter([]))
        assert len(asked) == 3


def test_nothing_is_saved_twice() -> None:
    keys: list[str] = []

    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        keys.append(handler.headers["idempotency-key"])
        if len(keys) == 1:
            handler.send_response(503)
            handler.send_header("Retry-After", "0")
            handler.end_headers()
            return
        headers = {name: value for name, value in handler.headers.items() if name.lower() != "host"}
        given = httpx.post(f"{URL}{handler.path}", content=body, headers=headers)
        if len(keys) == 2:
            # The request arrived, and its answer is lost.
            handler.connection.close()
            return
        handler.send_response(given.status_code)
        handler.send_header("Content-Type", "application/json")
        handler.end_headers()
        handler.wfile.write(given.content)

    with proxy(answer) as address, Commonplace(address, TOKEN) as client:
        assert client.content.save(title="Once", text="Only once, by Python.").outcome == "created"
    assert len(keys) == 3
    assert len(set(keys)) == 1


def test_gives_up() -> None:
    asked: list[str] = []

    def answer(handler: BaseHTTPRequestHandler, _body: bytes) -> None:
        asked.append(handler.path)
        handler.send_response(429)
        handler.send_header("Retry-After", "3600")
        handler.end_headers()

    with proxy(answer) as address, Commonplace(address, TOKEN) as client:
        with pytest.raises(CommonplaceError) as busy:
            client.search("x")
        assert (busy.value.status, busy.value.code, busy.value.retry_after) == (429, "unknown", 3600)
    assert asked == ["/api/v1/search"]
    with pytest.raises(httpx.ConnectError):
        Commonplace(address, TOKEN, max_retries=0).search("x")


def test_async_client_has_the_same_names() -> None:
    def names(one: object) -> set[str]:
        return {name for name in dir(one) if not name.startswith("_")}

    sync, asynchronous = Commonplace(URL, TOKEN), AsyncCommonplace(URL, TOKEN)
    assert names(sync) | {"aclose"} == names(asynchronous) | {"close"}
    for part in ("content", "actions", "goals", "tags", "highlights", "keys", "imports", "exports"):
        assert names(getattr(sync, part)) == names(getattr(asynchronous, part))


def test_async_client() -> None:
    async def walk() -> list[str | None]:
        async with AsyncCommonplace(URL, TOKEN) as client:
            await client.content.save(title="Async", text="Saved by an async client.", tags=["async"])
            return [item.title async for item in client.content.list(tags=["async"])]

    assert asyncio.run(walk()) == ["Async"]


def test_async_files() -> None:
    async def stream() -> AsyncIterator[bytes]:
        for piece in pieces("async"):
            yield piece

    async def both_ways() -> tuple[int, bytes, int]:
        async with AsyncCommonplace(URL, TOKEN) as client:
            begun = await client.imports.start(stream())
            done = await client.imports.wait_until_done(begun.id, interval=0.05)
            export = await client.exports.start("netscape")
            await client.exports.wait_until_done(export.id, interval=0.05)
            async with await client.exports.download(export.id) as file:
                return done.counts.taken, b"".join([piece async for piece in file]), file.length or 0

    taken, page, length = asyncio.run(both_ways())
    assert (taken, len(page)) == (3, length)
    assert b"https://example.org/async/2" in page


def test_what_is_made_from_other_files_is_fresh() -> None:
    folder = Path(__file__).parent.parent
    script = runpy.run_path(str(folder / "scripts" / "sync_client.py"))
    for name in script["FILES"]:
        written = (folder / "src" / "commonplace_client" / f"{name}.py").read_text()
        assert re.sub(r"[\s(),]", "", script["sync_file"](name)) == re.sub(r"[\s(),]", "", written), "npm run clients"


@pytest.mark.parametrize("index", [0, 1, 2, 3])
def test_readme(index: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readme = (Path(__file__).parent.parent / "README.md").read_text()
    examples = re.findall(r"```python\n(.*?)```", readme, re.S)
    assert len(examples) == 4
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bookmarks.html").write_text(
        '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DT><A HREF="https://example.org/b">B</A>'
    )
    exec(compile(examples[index].replace("https://example.com", SITE), "README.md", "exec"), {"__name__": "example"})


def test_package_is_typed() -> None:
    assert version("commonplace-client") == "0.1.0"
    import commonplace_client

    assert (Path(commonplace_client.__file__).parent / "py.typed").exists()
