"""Generated from ``_async_calls.py`` by ``npm run clients``: the same for the synchronous client."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote

from . import models
from ._requests import Download, PagedList, Requests
from ._shared import given


def _segment(text: str) -> str:
    return quote(text, safe="")


class ContentCalls:
    """The pages, videos and documents that were saved."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        content_type: str | None = None,
        status: str | None = None,
        tags: Sequence[str] | None = None,
        saved_after: str | None = None,
        saved_before: str | None = None,
        query: str | None = None,
        list: str | None = None,
    ) -> PagedList[models.ContentSummary]:
        """Lists what was saved, newest first, in short form: without insights, actions and transcript. All filters
        must match; several tags mean items that have all of them."""
        return PagedList(
            self._http,
            "/content",
            models.ContentSummary,
            query=given(
                limit=limit,
                offset=offset,
                content_type=content_type,
                status=status,
                tags=tags,
                saved_after=saved_after,
                saved_before=saved_before,
                query=query,
                list=list,
            ),
        )

    def save(
        self,
        url: str | None = None,
        *,
        tags: Sequence[str] | None = None,
        notes: str | None = None,
        shelf: str | None = None,
        refresh: bool | None = None,
        title: str | None = None,
        text: str | None = None,
        html: str | None = None,
        captions: str | Sequence[Mapping[str, object]] | None = None,
        idempotency_key: str | None = None,
    ) -> models.SaveContentAnswer:
        """Saves a page by its address, or without `url` a note of `title` and `text`. The answer comes at once; the
        item is read and made searchable in the background: ask for it again until its `status` is `completed`
        or `failed`. One of `text`, `html` and `captions` is read in place of the page."""
        return self._http.answer(
            "POST",
            "/content",
            models.SaveContentAnswer,
            body=given(
                url=url,
                tags=tags,
                notes=notes,
                shelf=shelf,
                refresh=refresh,
                title=title,
                text=text,
                html=html,
                captions=captions,
            ),
            key=idempotency_key,
        )

    def get(self, content_id: str) -> models.TaggedItem:
        """One saved item in full: what is known of the page, its summary, key insights, action items, and the whole
        text or transcript once there is one."""
        return self._http.tagged("GET", f"/content/{_segment(content_id)}")

    def update(
        self,
        content_id: str,
        *,
        title: str | None = None,
        text: str | None = None,
        tags: Sequence[str] | None = None,
        notes: str | None = None,
        shelf: str | None = None,
        read: bool | None = None,
        reject_tags: Sequence[str] | None = None,
        if_match: str | None = None,
    ) -> models.TaggedItem:
        """Changes the title, tags, notes or shelf of an item, marks it as read or unread, or changes the text of a
        note. Fields that are left out stay as they are; an empty one is cleared. With the `ETag` of the item in
        `If-Match` nothing that somebody else changed meanwhile is overwritten."""
        return self._http.tagged(
            "PUT",
            f"/content/{_segment(content_id)}",
            body=given(title=title, text=text, tags=tags, notes=notes, shelf=shelf, read=read, reject_tags=reject_tags),
            if_match=if_match,
        )

    def delete(self, content_id: str, *, if_match: str | None = None) -> models.DeleteContentAnswer:
        """Moves an item to the trash. It is found nowhere, and can be restored for 30 days; then it is removed for
        good. Deleting again gives the same answer."""
        return self._http.answer(
            "DELETE", f"/content/{_segment(content_id)}", models.DeleteContentAnswer, if_match=if_match
        )

    def restore(self, content_id: str, *, idempotency_key: str | None = None) -> models.RestoreContentAnswer:
        """Brings a deleted item back. It takes no body; an item that is not deleted stays as it is."""
        return self._http.answer(
            "POST", f"/content/{_segment(content_id)}/restore", models.RestoreContentAnswer, key=idempotency_key
        )

    def save_many(
        self,
        urls: Sequence[str],
        *,
        tags: Sequence[str] | None = None,
        notes: str | None = None,
        shelf: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.SaveContentsAnswer:
        """Saves up to 20 pages by their addresses. Each has its own result: one that is refused does not keep
        the others from being saved."""
        return self._http.answer(
            "POST",
            "/content/saves",
            models.SaveContentsAnswer,
            body=given(urls=urls, tags=tags, notes=notes, shelf=shelf),
            key=idempotency_key,
        )

    def change_many(
        self,
        ids: Sequence[str],
        *,
        remove_tags: Sequence[str] | None = None,
        add_tags: Sequence[str] | None = None,
        notes: str | None = None,
        shelf: str | None = None,
        read: bool | None = None,
        reject_tags: Sequence[str] | None = None,
        idempotency_key: str | None = None,
    ) -> models.UpdateContentsAnswer:
        """Adds and removes tags, sets notes, moves to a shelf, or marks as read or unread, up to 100 items. Each
        item is changed whole or not at all, and the answer says which."""
        return self._http.answer(
            "POST",
            "/content/changes",
            models.UpdateContentsAnswer,
            body=given(
                ids=ids,
                remove_tags=remove_tags,
                add_tags=add_tags,
                notes=notes,
                shelf=shelf,
                read=read,
                reject_tags=reject_tags,
            ),
            key=idempotency_key,
        )

    def note_reading(self, content_id: str, share: float, *, start: int | None = None) -> models.UpdateReadingAnswer:
        """Notes where reading stopped, so that it goes on there on another device. Cheap enough to call every few
        seconds: it is not a change of the item, and not in its history. When the text is read again, `start`
        becomes null, and `share` stays."""
        return self._http.answer(
            "PUT",
            f"/content/{_segment(content_id)}/reading",
            models.UpdateReadingAnswer,
            body=given(start=start, share=share),
        )

    def refresh(
        self,
        *,
        ids: Sequence[str] | None = None,
        query: str | None = None,
        every_minutes: int | None = None,
        replace_given: bool | None = None,
        idempotency_key: str | None = None,
    ) -> models.RefreshContentAnswer:
        """Queues the pages of these items to be fetched again. An item stays as it is, `completed`, until its page
        has another text; then that becomes its text, and the one before one of its versions. `pageCheck` says
        when the page was fetched, and `warnings` why the text is still the one from before. With
        `everyMinutes`, they are fetched again regularly: `source` does that, and is changed and removed like
        others. By `ids`, these are at most 20."""
        return self._http.answer(
            "POST",
            "/content/refreshes",
            models.RefreshContentAnswer,
            body=given(ids=ids, query=query, every_minutes=every_minutes, replace_given=replace_given),
            key=idempotency_key,
        )

    def versions(self, content_id: str) -> models.ListVersionsAnswer:
        """The text that an item has, and the last ones that it had before its page was fetched again: five together,
        the newest first."""
        return self._http.answer("GET", f"/content/{_segment(content_id)}/versions", models.ListVersionsAnswer)

    def version(self, content_id: str, version: int, *, against: int | None = None) -> models.GetVersionAnswer:
        """A version with its text, and the paragraphs in which it differs from another one."""
        return self._http.answer(
            "GET",
            f"/content/{_segment(content_id)}/version",
            models.GetVersionAnswer,
            query=given(version=version, against=against),
        )

    def restore_version(self, content_id: str, version: int) -> models.RestoreVersionAnswer:
        """Makes a version the one that is shown and searched. It gets a new number. The version that is shown stays
        as it is."""
        return self._http.answer(
            "PUT", f"/content/{_segment(content_id)}/version", models.RestoreVersionAnswer, body=given(version=version)
        )

    def related(self, content_id: str, *, limit: int | None = None) -> models.RelatedAnswer:
        """Other saved items that have passages close to those of this item, with the passages that are alike."""
        return self._http.answer(
            "GET", f"/related/{_segment(content_id)}", models.RelatedAnswer, query=given(limit=limit)
        )


class Actions:
    """Things to do that saved items ask for."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def list(
        self,
        *,
        completed: bool | None = None,
        content_id: str | None = None,
        goal_id: str | None = None,
        order: str | None = None,
        snoozed: bool | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> PagedList[models.ActionItem]:
        """Lists the things to do that saved items ask for, each with the sentence it came from. Open ones come
        first, and among those the ones that serve a goal; then the newest, unless `order` says otherwise.
        Without `limit`, all of them are listed. Those that are snoozed are left out with `completed=false`."""
        return PagedList(
            self._http,
            "/actions",
            models.ActionItem,
            query=given(
                completed=completed,
                content_id=content_id,
                goal_id=goal_id,
                order=order,
                snoozed=snoozed,
                limit=limit,
                offset=offset,
            ),
        )

    def add(
        self,
        title: str,
        *,
        content_id: str | None = None,
        goal_id: str | None = None,
        due: str | None = None,
        priority: str | None = None,
        snoozed_until: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.AddActionAnswer:
        """Adds an action item to a saved item. Without `contentId` it is added to a new note with the same words,
        which needs the permission to save. An open action item of the item with the same title takes the other
        fields instead. No analysis changes it."""
        return self._http.answer(
            "POST",
            "/actions",
            models.AddActionAnswer,
            body=given(
                title=title,
                content_id=content_id,
                goal_id=goal_id,
                due=due,
                priority=priority,
                snoozed_until=snoozed_until,
            ),
            key=idempotency_key,
        )

    def complete(self, action_id: str, *, idempotency_key: str | None = None) -> models.CompleteActionAnswer:
        """Marks an action item completed; it is no longer snoozed. It takes no body; doing it twice changes
        nothing."""
        return self._http.answer(
            "POST", f"/actions/{_segment(action_id)}/complete", models.CompleteActionAnswer, key=idempotency_key
        )

    def update(
        self,
        action_id: str,
        *,
        state: str | None = None,
        title: str | None = None,
        goal_id: str | None = None,
        due: str | None = None,
        priority: str | None = None,
        snoozed_until: str | None = None,
    ) -> models.UpdateActionAnswer:
        """Dismisses, reopens, renames or snoozes an action item, or sets its goal, its day or its priority. Fields
        that are left out stay as they are."""
        return self._http.answer(
            "PUT",
            f"/actions/{_segment(action_id)}",
            models.UpdateActionAnswer,
            body=given(
                state=state, title=title, goal_id=goal_id, due=due, priority=priority, snoozed_until=snoozed_until
            ),
        )

    def pending(
        self,
        *,
        order: str | None = None,
        snoozed: bool | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> PagedList[models.ActionItem]:
        """Lists the action items that are neither done, dismissed nor snoozed; those that serve a goal first, then
        the newest."""
        return PagedList(
            self._http,
            "/actions/pending",
            models.ActionItem,
            query=given(order=order, snoozed=snoozed, limit=limit, offset=offset),
        )


class Goals:
    """What the user wants to reach."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def list(self, *, limit: int | None = None, offset: int | None = None) -> PagedList[models.Goal]:
        """Lists the user's goals, which action items may serve, newest first. Without `limit`, all of them are
        listed."""
        return PagedList(self._http, "/goals", models.Goal, query=given(limit=limit, offset=offset))

    def add(
        self, title: str, category: str, *, description: str | None = None, idempotency_key: str | None = None
    ) -> models.AddGoalAnswer:
        """Adds a goal. An existing goal with this title gets the category and description, and is no longer
        archived."""
        return self._http.answer(
            "POST",
            "/goals",
            models.AddGoalAnswer,
            body=given(title=title, category=category, description=description),
            key=idempotency_key,
        )

    def update(
        self,
        goal_id: str,
        *,
        title: str | None = None,
        category: str | None = None,
        description: str | None = None,
        archived: bool | None = None,
    ) -> models.UpdateGoalAnswer:
        """Changes a goal. Fields that are left out stay as they are."""
        return self._http.answer(
            "PUT",
            f"/goals/{_segment(goal_id)}",
            models.UpdateGoalAnswer,
            body=given(title=title, category=category, description=description, archived=archived),
        )

    def actions(
        self,
        goal_id: str,
        *,
        order: str | None = None,
        snoozed: bool | None = None,
        limit: int | None = None,
        offset: int | None = None,
        completed: bool | None = None,
    ) -> PagedList[models.ActionItem]:
        """Lists the action items that serve a goal, the open ones first."""
        return PagedList(
            self._http,
            f"/goals/{_segment(goal_id)}/actions",
            models.ActionItem,
            query=given(order=order, snoozed=snoozed, limit=limit, offset=offset, completed=completed),
        )


class Lists:
    """Lists of items, by hand or by a query."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def list(self, *, limit: int | None = None, offset: int | None = None) -> PagedList[models.GetListAnswer]:
        """Lists the lists of items in their order, each with the number of its items."""
        return PagedList(self._http, "/lists", models.GetListAnswer, query=given(limit=limit, offset=offset))

    def add(
        self, name: str, *, icon: str | None = None, query: str | None = None, idempotency_key: str | None = None
    ) -> models.AddListAnswer:
        """Makes a list. With a `query` it always has what that finds; without one, items are put into it by hand. A
        list that has this name already is that list, and takes the icon and the query."""
        return self._http.answer(
            "POST", "/lists", models.AddListAnswer, body=given(name=name, icon=icon, query=query), key=idempotency_key
        )

    def get(self, list_id: str) -> models.GetListAnswer:
        """One list. Its items are what `GET /content` lists with `query=list:<its id>`."""
        return self._http.answer("GET", f"/lists/{_segment(list_id)}", models.GetListAnswer)

    def update(
        self,
        list_id: str,
        *,
        name: str | None = None,
        icon: str | None = None,
        query: str | None = None,
        position: int | None = None,
    ) -> models.UpdateListAnswer:
        """Changes a list. Fields that are left out stay as they are. A list by hand stays one, and so does a list
        by a query."""
        return self._http.answer(
            "PUT",
            f"/lists/{_segment(list_id)}",
            models.UpdateListAnswer,
            body=given(name=name, icon=icon, query=query, position=position),
        )

    def delete(self, list_id: str) -> models.DeleteListAnswer:
        """Deletes a list. Its items stay as they are. `undo` brings it back for 30 days."""
        return self._http.answer("DELETE", f"/lists/{_segment(list_id)}", models.DeleteListAnswer)

    def put(
        self,
        list_id: str,
        content_ids: Sequence[str],
        *,
        position: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.PutInListAnswer:
        """Puts items into a list by hand, in the given order: at its end, or at `position`. Items that are in it
        already move there."""
        return self._http.answer(
            "POST",
            f"/lists/{_segment(list_id)}/items",
            models.PutInListAnswer,
            body=given(content_ids=content_ids, position=position),
            key=idempotency_key,
        )

    def take(self, list_id: str, content_ids: Sequence[str]) -> models.TakeFromListAnswer:
        """Takes items out of a list by hand. They stay in the library and in other lists."""
        return self._http.answer(
            "DELETE",
            f"/lists/{_segment(list_id)}/items",
            models.TakeFromListAnswer,
            query=given(content_ids=content_ids),
        )


class Tags:
    """The tags of saved items."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def list(self, *, limit: int | None = None, offset: int | None = None) -> PagedList[models.ListTagsAnswerItems]:
        """Lists the tags of all items, most used first."""
        return PagedList(self._http, "/tags", models.ListTagsAnswerItems, query=given(limit=limit, offset=offset))

    def rename(self, from_: str, to: str, *, idempotency_key: str | None = None) -> models.RenameTagAnswer:
        """Renames a tag on all items. When items have the new tag already, the two become one."""
        return self._http.answer(
            "POST", "/tags/rename", models.RenameTagAnswer, body=given(from_=from_, to=to), key=idempotency_key
        )


class Highlights:
    """Words of saved items that were marked."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def list(
        self,
        *,
        content_id: str | None = None,
        query: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> PagedList[models.ListHighlightsAnswerItems]:
        """Lists what was marked in saved items, newest first; of one item, in the order of its text."""
        return PagedList(
            self._http,
            "/highlights",
            models.ListHighlightsAnswerItems,
            query=given(content_id=content_id, query=query, limit=limit, offset=offset),
        )

    def add(
        self,
        content_id: str,
        quote: str,
        *,
        note: str | None = None,
        colour: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.AddHighlightAnswer:
        """Marks words of a saved item, with a note and a colour. `place` says whether its text has these words. The
        same words again are the same highlight."""
        return self._http.answer(
            "POST",
            "/highlights",
            models.AddHighlightAnswer,
            body=given(content_id=content_id, quote=quote, note=note, colour=colour),
            key=idempotency_key,
        )

    def update(
        self, highlight_id: str, *, quote: str | None = None, note: str | None = None, colour: str | None = None
    ) -> models.UpdateHighlightAnswer:
        """Changes a highlight. Fields that are left out stay as they are; an empty one is cleared."""
        return self._http.answer(
            "PUT",
            f"/highlights/{_segment(highlight_id)}",
            models.UpdateHighlightAnswer,
            body=given(quote=quote, note=note, colour=colour),
        )

    def delete(self, highlight_id: str) -> models.DeleteHighlightAnswer:
        """Deletes a highlight. The history takes it back for 30 days."""
        return self._http.answer("DELETE", f"/highlights/{_segment(highlight_id)}", models.DeleteHighlightAnswer)


class ImportsCalls:
    """Taking over what another program has exported."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def list(self, *, limit: int | None = None, offset: int | None = None) -> PagedList[models.Import]:
        """Lists the imports of the last 30 days, newest first."""
        return PagedList(self._http, "/imports", models.Import, query=given(limit=limit, offset=offset))

    def start(
        self,
        file: bytes | Iterable[bytes],
        *,
        name: str | None = None,
        tags: Sequence[str] | None = None,
        follow: bool | None = None,
        idempotency_key: str | None = None,
    ) -> models.Import:
        """Takes an export file of another program: bookmarks, a CSV, a JSON file, a ZIP archive of them and others,
        up to 200 MB. Send the file itself as the body, whatever its type: what it is, is recognised by its
        content. The answer comes when the file has arrived; ask for the import until its `state` is `done`."""
        return self._http.answer(
            "POST",
            "/imports",
            models.Import,
            query=given(name=name, tags=tags, follow=follow),
            file=file,
            key=idempotency_key,
        )

    def get(self, import_id: str) -> models.Import:
        """How far an import is. It has ended when `state` is `done`, `failed` or `cancelled`. `interrupted` means
        that the server ended meanwhile: it can be taken up again."""
        return self._http.answer("GET", f"/imports/{_segment(import_id)}", models.Import)

    def delete(self, import_id: str) -> models.Import:
        """Ends an import, and forgets it with its report. What was imported stays."""
        return self._http.answer("DELETE", f"/imports/{_segment(import_id)}", models.Import)

    def cancel(self, import_id: str, *, idempotency_key: str | None = None) -> models.Import:
        """Ends an import. What it took until then stays, and `undo` takes it back. An import that has ended stays
        as it is. It takes no body."""
        return self._http.answer("POST", f"/imports/{_segment(import_id)}/cancel", models.Import, key=idempotency_key)

    def resume(self, import_id: str, *, idempotency_key: str | None = None) -> models.Import:
        """Takes up an import that was interrupted. The file is read again from its beginning; what was imported
        before is skipped. It takes no body."""
        return self._http.answer("POST", f"/imports/{_segment(import_id)}/resume", models.Import, key=idempotency_key)

    def report(self, import_id: str) -> Download:
        """A table (CSV) with a line for each entry of the file: what became of it, and why. It grows while the
        import goes on."""
        return self._http.download(f"/imports/{_segment(import_id)}/report")


class ExportsCalls:
    """Everything as files."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def start(
        self, format: str | None = None, *, since: str | None = None, idempotency_key: str | None = None
    ) -> models.Export:
        """Begins to write the library as a file. Ask for the export until its `state` is `done`, then get its file,
        which is kept for a day."""
        return self._http.answer(
            "POST", "/exports", models.Export, body=given(format=format, since=since), key=idempotency_key
        )

    def list(self, *, limit: int | None = None, offset: int | None = None) -> PagedList[models.Export]:
        """Lists the exports of the last day, newest first."""
        return PagedList(self._http, "/exports", models.Export, query=given(limit=limit, offset=offset))

    def get(self, export_id: str) -> models.Export:
        """How far an export is. It has ended when `state` is `done`, `failed`, `cancelled` or `interrupted` (the
        server ended meanwhile: begin another one)."""
        return self._http.answer("GET", f"/exports/{_segment(export_id)}", models.Export)

    def delete(self, export_id: str) -> models.Export:
        """Ends an export, and removes it with its file."""
        return self._http.answer("DELETE", f"/exports/{_segment(export_id)}", models.Export)

    def download(self, export_id: str) -> Download:
        """The file of an export that is done. A download that broke off goes on with `Range`. The file is removed a
        day after it was made."""
        return self._http.download(f"/exports/{_segment(export_id)}/file")


class Sources:
    """Feeds, folders, mailboxes, and pages that are fetched again: what brings items by itself."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def list(self, *, limit: int | None = None, offset: int | None = None) -> PagedList[models.Source]:
        """Lists the sources by name: feeds, folders, mailboxes, and pages that are fetched again."""
        return PagedList(self._http, "/sources", models.Source, query=given(limit=limit, offset=offset))

    def follow(
        self,
        address: str,
        *,
        name: str | None = None,
        take: str | None = None,
        only: Sequence[str] | None = None,
        without: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        keep_unread: int | None = None,
        keep_days: int | None = None,
        every_minutes: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.FollowAnswer:
        """Follows the feed at the address, or the one that the page there names. The newest ten entries become
        items at once, later ones as they appear. A feed that is followed already takes the given settings, and
        goes on if it was paused."""
        return self._http.answer(
            "POST",
            "/sources",
            models.FollowAnswer,
            body=given(
                address=address,
                name=name,
                take=take,
                only=only,
                without=without,
                tags=tags,
                keep_unread=keep_unread,
                keep_days=keep_days,
                every_minutes=every_minutes,
            ),
            key=idempotency_key,
        )

    def get(self, source_id: str) -> models.Source:
        """One source."""
        return self._http.answer("GET", f"/sources/{_segment(source_id)}", models.Source)

    def update(
        self,
        source_id: str,
        *,
        state: str | None = None,
        name: str | None = None,
        take: str | None = None,
        only: Sequence[str] | None = None,
        without: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        keep_unread: int | None = None,
        keep_days: int | None = None,
        every_minutes: int | None = None,
    ) -> models.UpdateSourceAnswer:
        """Changes, pauses or resumes a source. Fields that are left out stay as they are. Resuming a folder that
        paused because many files were gone puts their items into the trash."""
        return self._http.answer(
            "PUT",
            f"/sources/{_segment(source_id)}",
            models.UpdateSourceAnswer,
            body=given(
                state=state,
                name=name,
                take=take,
                only=only,
                without=without,
                tags=tags,
                keep_unread=keep_unread,
                keep_days=keep_days,
                every_minutes=every_minutes,
            ),
        )

    def delete(self, source_id: str) -> models.DeleteSourceAnswer:
        """Removes a source. Its items stay as they are."""
        return self._http.answer("DELETE", f"/sources/{_segment(source_id)}", models.DeleteSourceAnswer)

    def check(self, source_id: str, *, idempotency_key: str | None = None) -> models.Source:
        """Makes a source due now. `checkedAt` and `problem` give the result later."""
        return self._http.answer("POST", f"/sources/{_segment(source_id)}/check", models.Source, key=idempotency_key)

    def entries(
        self, source_id: str, *, state: str | None = None, limit: int | None = None, offset: int | None = None
    ) -> PagedList[models.ListSourceEntriesAnswerItems]:
        """What a source offered, newest first: items, headlines that wait to be opened, and what was left out."""
        return PagedList(
            self._http,
            f"/sources/{_segment(source_id)}/entries",
            models.ListSourceEntriesAnswerItems,
            query=given(state=state, limit=limit, offset=offset),
        )

    def open_entry(self, source_id: str, key: str, *, idempotency_key: str | None = None) -> models.SaveContentAnswer:
        """Saves the page that an entry leads to, such as a headline, with the tags of its source."""
        return self._http.answer(
            "POST",
            f"/sources/{_segment(source_id)}/entries/open",
            models.SaveContentAnswer,
            body=given(key=key),
            key=idempotency_key,
        )


class Keys:
    """Keys with permissions, for programs."""

    def __init__(self, http: Requests) -> None:
        self._http = http

    def list(self, *, limit: int | None = None, offset: int | None = None) -> PagedList[models.Key]:
        """Lists the keys of the account, newest first, without their secrets. Tokens are listed as well, with the
        permissions that their scopes give."""
        return PagedList(self._http, "/keys", models.Key, query=given(limit=limit, offset=offset))

    def create(
        self,
        name: str,
        permissions: Sequence[str],
        *,
        expires_in_days: int | None = None,
        requests_per_minute: int | None = None,
        lists: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        idempotency_key: str | None = None,
    ) -> models.KeyWithSecret:
        """Makes a key. It may do no more than the key that makes it, works no longer and no more often, and is
        revoked with it. `secret` is what a client sends as `Authorization: Bearer <secret>`; it is shown once."""
        return self._http.answer(
            "POST",
            "/keys",
            models.KeyWithSecret,
            body=given(
                name=name,
                permissions=permissions,
                expires_in_days=expires_in_days,
                requests_per_minute=requests_per_minute,
                held_to=given(lists=lists, tags=tags) or None,
            ),
            key=idempotency_key,
        )

    def get(self, key_id: str) -> models.Key:
        """What a key may do, and the day and the network of its last use."""
        return self._http.answer("GET", f"/keys/{_segment(key_id)}", models.Key)

    def revoke(self, key_id: str) -> models.Key:
        """Ends a key at once, and all keys that it made. Revoking again gives the same answer."""
        return self._http.answer("DELETE", f"/keys/{_segment(key_id)}", models.Key)

    def rotate(self, key_id: str, *, idempotency_key: str | None = None) -> models.KeyWithSecret:
        """Gives a key another secret, which is shown once. The one before works for another hour, in which it can
        neither make nor rotate keys. A key rotates itself, and others that may do no more than it."""
        return self._http.answer("POST", f"/keys/{_segment(key_id)}/rotate", models.KeyWithSecret, key=idempotency_key)


class Calls:
    """The methods of the client itself, and the groups of which all is generated."""

    def __init__(self, http: Requests) -> None:
        self._http = http
        self.actions = Actions(http)
        self.goals = Goals(http)
        self.lists = Lists(http)
        self.tags = Tags(http)
        self.highlights = Highlights(http)
        self.sources = Sources(http)
        self.keys = Keys(http)

    def search(
        self,
        query: str,
        *,
        limit: int | None = None,
        content_type: str | None = None,
        tags: Sequence[str] | None = None,
        saved_after: str | None = None,
        saved_before: str | None = None,
        list: str | None = None,
        not_: Mapping[str, object] | None = None,
    ) -> models.SearchAnswer:
        """Searches everything that was saved, by meaning and by words. Results are grouped by item, the best first,
        each with up to three passages and a link that opens the page at that passage. An item without text is
        found by its title, address, tags and notes: its `status` says whether the text is not there yet
        (`pending`) or could not be read (`failed`). `coverage` counts these items: the answer may be
        incomplete. The query may hold 'exact phrases', `-word`, `OR`, parentheses and operators such as
        `site:example.com`, `type:pdf`, `tag:health`, `is:unread`, `published:2024-05`, `saved:2026-01..2026-03`
        and `words:>1000` (docs/searching.md); a query of filters alone lists the items that match, newest
        first. `hint` says what of it was not understood."""
        return self._http.answer(
            "POST",
            "/search",
            models.SearchAnswer,
            body=given(
                query=query,
                limit=limit,
                filters=given(
                    content_type=content_type,
                    tags=tags,
                    saved_after=saved_after,
                    saved_before=saved_before,
                    list=list,
                    not_=not_,
                )
                or None,
            ),
        )

    def suggest(self, prefix: str, *, limit: int | None = None) -> models.SuggestAnswer:
        """Completes what is being typed, with operators of the query, tags, titles, frequent phrases and past
        questions."""
        return self._http.answer(
            "GET", "/search/suggestions", models.SuggestAnswer, query=given(prefix=prefix, limit=limit)
        )

    def forget_queries(self) -> models.ForgetQueriesAnswer:
        """Removes the past questions that were kept for suggestions."""
        return self._http.answer("DELETE", "/search/suggestions", models.ForgetQueriesAnswer)

    def counts(self) -> models.CountItemsAnswer:
        """How many items are on each shelf and in each list, and how many are unread, without deleted ones."""
        return self._http.answer("GET", "/counts", models.CountItemsAnswer)

    def history(
        self, record_id: str | None = None, *, limit: int | None = None, offset: int | None = None
    ) -> PagedList[models.HistoryAnswerItems]:
        """Lists what was changed, newest first: when, through what, by whom, before and after. The token sees the
        changes of records that it may read."""
        return PagedList(
            self._http, "/history", models.HistoryAnswerItems, query=given(id=record_id, limit=limit, offset=offset)
        )

    def undo(
        self, change_id: str, *, force: bool | None = None, idempotency_key: str | None = None
    ) -> models.UndoAnswer:
        """Takes back a change, for 30 days. When something was changed since, nothing is undone: `conflicts` says
        what would be overwritten, and `force` does it all the same."""
        return self._http.answer(
            "POST",
            f"/history/{_segment(change_id)}/undo",
            models.UndoAnswer,
            body=given(force=force),
            key=idempotency_key,
        )
