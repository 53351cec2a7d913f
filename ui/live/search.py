"""Full-text search of the log for browsers, in a thread of its own: what they may read, and nothing of the rest.

A search also brings the index up to date, by one step at a time. While the index lacks more than that, the answer is
how far it is, and the page asks again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from engine.storage.database import StoreError
from engine.storage.search_index import BadSearch, SearchIndex, SearchPage, check_words, run_with_search_index
from engine.storage.store import Store
from ui.live.refusal import Refusal

logger = logging.getLogger("ludens.live")

HITS_PER_PAGE = 50
"""How many texts are listed at once."""
MAX_WAITING_SEARCHES = 16
"""Searches that may wait for their turn."""


class TextSearch:
    """Searches one log, with its own connection, opened at first use."""

    def __init__(self, db_path: Path) -> None:
        self._database = db_path
        self._thread = ThreadPoolExecutor(1, "ludens-search")
        self._store: Store | None = None
        self._waiting_count = 0

    def check_words(self, search_words: str) -> None:
        """Raise `Refusal` for words that cannot be searched for, and where too many searches wait."""
        try:
            check_words(search_words)
        except BadSearch as error:
            raise Refusal(422, str(error)) from None
        if self._waiting_count >= MAX_WAITING_SEARCHES:
            raise Refusal(503, "Too many people are searching at the moment. Please try again.")

    async def search_texts(
        self, search_words: str, episode_ids: Collection[str], *, prompts: bool, first_hit: int
    ) -> SearchPage | float:
        """Return the texts of these episodes with these words, or the share of the log that the index has read.

        Raises `Refusal`.
        """
        self.check_words(search_words)

        def find_page(search_index: SearchIndex) -> SearchPage | float:
            indexed_share = search_index.update_index()
            if indexed_share < 1:
                return indexed_share
            return search_index.search(
                search_words, episode_ids, prompts=prompts, max_hits=HITS_PER_PAGE, start_number=first_hit
            )

        def run() -> SearchPage | float:
            if self._store is None:
                self._store = Store(self._database, purpose="search")
            return run_with_search_index(self._store, find_page)

        self._waiting_count += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, run)
        except StoreError as error:
            logger.warning("a search failed: %s", error)
            raise Refusal(503, "Searching is not possible at the moment. Please try again.") from error
        finally:
            self._waiting_count -= 1

    def close(self) -> None:
        """Close the connection once the present search is done."""
        self._thread.shutdown(cancel_futures=True)
        if self._store:
            self._store.close()
