"""Files and pages that are the same for everybody, answered from memory: compressed once, with addresses by content.

Our own files are read at the start, and those of each page combined (`ui/server/bundles.py`). Pages load them from
/web/v/VERSION/…, where VERSION is a hash of all of them, so that browsers may keep them for good; an import map in each
page leads there from /web/…, which is what our modules write. Gradio's files and its pages are fetched from Gradio at
the first request for each and kept: files as it answered, pages as `ui/server/static_pages.py` writes them.
Nothing here knows a browser: what depends on who asks is no file.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import mimetypes
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import brotli
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.live.tiles import find_tiles, make_tile_address
from ui.server.bundles import find_shared_modules, list_page_modules, make_bundles, make_script_name, make_style_name
from ui.server.static_pages import write_page
from ui.server.widgets import find_web_folders

VERSIONED_PATH_PREFIX = "/web/v/"
"""Below it are our own files under the hash of their content."""
GRADIO_PATH_PREFIXES = ("/assets/", "/static/", "/theme.css", "/favicon.ico")
"""Where Gradio's files are."""
MAX_FILE_BYTES = 2_000_000
"""Bytes of the largest file that is kept; Gradio has larger ones that no page of ours loads."""
MAX_CACHE_BYTES = 32_000_000
"""Bytes of all files and pages that are kept, in all encodings."""
MAX_CACHED_PAGES = 100
"""Pages that are kept: Gradio writes the host into them, and one server may have many."""
MIN_COMPRESSED_BYTES = 200
"""Bytes below which compressing a file gains nothing."""
BROTLI_QUALITY = 5
"""Half a millisecond per 10 KB; 11 takes forty times as long and gains 8 % (measured on Gradio's files)."""


@dataclass(frozen=True, slots=True)
class CachedFile:
    """A response with status 200: its media type, and its body by content encoding ("" for none)."""

    media_type: str
    etag: str
    body_by_encoding: Mapping[str, bytes]

    @classmethod
    def from_body(cls, body: bytes, media_type: str) -> CachedFile:
        """Compress a body in all encodings that make it smaller."""
        bodies = {"": body}
        if len(body) >= MIN_COMPRESSED_BYTES:
            compressed_bodies = {
                "br": brotli.compress(body, quality=BROTLI_QUALITY),
                "gzip": gzip.compress(body, 6, mtime=0),
            }
            bodies |= {
                encoding: compressed_body
                for encoding, compressed_body in compressed_bodies.items()
                if len(compressed_body) < 0.9 * len(body)
            }
        return cls(media_type, hashlib.sha256(body).hexdigest()[:20], bodies)

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return sum(map(len, self.body_by_encoding.values()))

    async def send_response(self, scope: Scope, send: Send) -> None:
        """Answer a GET or HEAD request."""
        request_headers = Headers(scope=scope)
        encoding = _choose_encoding(request_headers.get("accept-encoding", ""), self.body_by_encoding)
        body, etag = self.body_by_encoding[encoding], f'"{self.etag}{"-" if encoding else ""}{encoding}"'
        headers = [(b"etag", etag.encode()), (b"accept-ranges", b"bytes")]
        if len(self.body_by_encoding) > 1:
            headers.append((b"vary", b"Accept-Encoding"))
        is_unchanged = _matches_etag(request_headers.get("if-none-match"), etag)
        if not is_unchanged:
            headers += [(b"content-type", self.media_type.encode()), (b"content-length", str(len(body)).encode())]
            if encoding:
                headers.append((b"content-encoding", encoding.encode()))
        await send({"type": "http.response.start", "status": 304 if is_unchanged else 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if is_unchanged or scope["method"] == "HEAD" else body})


def _choose_encoding(accept_header: str, bodies: Mapping[str, bytes]) -> str:
    """Return the first encoding, in the order of `body_by_encoding` from its second, that a browser accepts."""
    weights = {}
    for header_part in accept_header.lower().split(","):
        coding_name, _, quality_parameter = header_part.partition(";")
        weights[coding_name.strip()] = quality_parameter.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return next((encoding_name for encoding_name in bodies if encoding_name and weights.get(encoding_name)), "")


def _matches_etag(if_none_match: str | None, etag: str) -> bool:
    if if_none_match is None:
        return False
    return any(etag_text.strip().removeprefix("W/") in (etag, "*") for etag_text in if_none_match.split(","))


# ---------------------------------------------------------------------- our own files
class StaticFileStore:
    """Our scripts, styles and drawings as they are at the start, by their path below /web/."""

    def __init__(
        self, folders: Mapping[str, Path], content_by_path: Mapping[str, bytes] | None = None, pages: Iterable[str] = ()
    ) -> None:
        """Read the files of folders, each under its prefix such as "games/mapworld/", and documents with their path.

        `pages` are the names of pages whose modules and styles are combined. Raises `BadModule`.
        """
        self._content_by_name = dict(content_by_path or {}) | {
            f"{prefix}{file_path.relative_to(folder).as_posix()}": file_path.read_bytes()
            for prefix, folder in folders.items()
            for file_path in sorted(folder.rglob("*"))
            if file_path.is_file() and not file_path.name.startswith(".")
        }
        bundles = make_bundles(self._content_by_name, pages)
        self._content_by_name |= bundles
        self._generated_names = bundles.keys() | (content_by_path or {}).keys()
        content_digest = hashlib.sha256()
        for file_name, file_content in sorted(self._content_by_name.items()):
            content_digest.update(f"{file_name} {len(file_content)}\n".encode() + file_content)
        self.version = content_digest.hexdigest()[:16]

    @property
    def prefix(self) -> str:
        """The address below which these files are, with this content, for good."""
        return f"{VERSIONED_PATH_PREFIX}{self.version}/"

    def is_generated(self, address: str) -> bool:
        """Return whether there is no file of its own behind an address."""
        return address.removeprefix(self.prefix) in self._generated_names

    def load_file(self, address: str) -> CachedFile | None:
        """Return the file at a versioned address; None if there is none."""
        file_content = self._content_by_name.get(address.removeprefix(self.prefix))
        # some systems have an older name for scripts
        guessed_type, _ = ("text/javascript", None) if address.endswith(".js") else mimetypes.guess_type(address)
        media_type = guessed_type or "application/octet-stream"
        if media_type.startswith("text/"):
            media_type += "; charset=utf-8"
        return CachedFile.from_body(file_content, media_type) if file_content is not None else None

    def make_page_head(self, page_name: str) -> str:
        """Return what stands first in the head of a page: where our modules are, and which files it will need."""
        script_url, style_url = self.prefix + make_script_name(page_name), self.prefix + make_style_name(page_name)
        shared_names = find_shared_modules(self._content_by_name, list_page_modules(self._content_by_name, page_name))
        url_by_module = {f"/web/{module_name}": script_url for module_name in shared_names}
        import_map = json.dumps({"imports": {**url_by_module, "/web/": self.prefix}}, separators=(",", ":"))
        return (
            f'<script type="importmap">{import_map}</script><link rel="modulepreload" href="{script_url}">'
            f'<link rel="stylesheet" href="{style_url}">'
            f'<link rel="icon" href="{self.prefix}core/icon.svg" type="image/svg+xml">'
        )


# ---------------------------------------------------------------------- answering from memory
class CacheKey(NamedTuple):
    """What a kept response depends on: for a page also what Gradio derives its own address from."""

    path: str
    origin: tuple[str, ...] = ()


class AssetCache:
    """Wrap an ASGI app: files and pages are answered from memory, everything else by the app.

    `pages` are the addresses of pages, each with the name of its module. Requests for a range go to the app, which
    reads the file; no browser asks for one of ours.
    """

    def __init__(self, app: ASGIApp, files: StaticFileStore, pages: Mapping[str, str]) -> None:
        self._app, self._files, self._pages = app, files, pages
        self._file_by_cache_key: dict[CacheKey, CachedFile] = {}
        self._load_task_by_key: dict[CacheKey, asyncio.Task[CachedFile | None]] = {}
        self._cached_bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from memory where that is possible, else pass the request on."""
        cache_key = self._make_cache_key(scope)
        if cache_key is None:
            await self._app(scope, receive, send)
            return
        if cache_key.path.startswith(VERSIONED_PATH_PREFIX) and not cache_key.path.startswith(self._files.prefix):
            _, _, file_name = cache_key.path.removeprefix(VERSIONED_PATH_PREFIX).partition("/")
            await _redirect_request(send, self._files.prefix + quote(file_name))
            return
        is_file = not self._files.is_generated(cache_key.path)  # what is made at the start is sent whole
        has_range = is_file and any(header_name.lower() == b"range" for header_name, _ in scope["headers"])
        cached_file = (
            None
            if has_range
            else self._file_by_cache_key.get(cache_key) or await self._load_file_once(cache_key, scope)
        )
        if cached_file is not None:
            await cached_file.send_response(scope, send)
        else:
            await self._app(self._make_plain_scope(scope), receive, send)

    def _make_cache_key(self, scope: Scope) -> CacheKey | None:
        """Return the key of a request for something that is the same for everybody; None for all others."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return None
        url_path: str = scope["path"]
        if url_path.startswith((VERSIONED_PATH_PREFIX, *GRADIO_PATH_PREFIXES)):
            return CacheKey(url_path)
        if url_path not in self._pages:
            return None
        headers = Headers(scope=scope)
        origin = (headers.get(header_name, "") for header_name in ("host", "x-forwarded-host", "x-forwarded-proto"))
        return CacheKey(url_path, (scope["scheme"], *origin))

    async def _load_file_once(self, cache_key: CacheKey, scope: Scope) -> CachedFile | None:
        """Load something once for all who ask for it meanwhile."""
        if cache_key not in self._load_task_by_key:
            self._load_task_by_key[cache_key] = asyncio.create_task(self._load_file(cache_key, scope))
            self._load_task_by_key[cache_key].add_done_callback(lambda _: self._load_task_by_key.pop(cache_key))
        return await asyncio.shield(self._load_task_by_key[cache_key])

    async def _load_file(self, cache_key: CacheKey, scope: Scope) -> CachedFile | None:
        if cache_key.path.startswith(VERSIONED_PATH_PREFIX):
            file = await asyncio.to_thread(self._files.load_file, cache_key.path)
        else:
            file = await self._fetch_from_app(cache_key, scope)
        if file and file.size <= MAX_FILE_BYTES and self._cached_bytes + file.size <= MAX_CACHE_BYTES:
            page_keys = [page_key for page_key in self._file_by_cache_key if page_key.origin]
            if cache_key.origin and len(page_keys) >= MAX_CACHED_PAGES:
                self._cached_bytes -= self._file_by_cache_key.pop(next(iter(page_keys))).size
            self._file_by_cache_key[cache_key] = file
            self._cached_bytes += file.size
        return file

    async def _fetch_from_app(self, cache_key: CacheKey, scope: Scope) -> CachedFile | None:
        """Return what the app answers; None unless it has the whole file, of a size that is kept."""
        start_message: Message = {}
        response_body = bytearray()
        request_messages: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Message:
            if request_messages:
                return request_messages.pop()
            no_more_messages: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
            return await no_more_messages  # the app cancels this when it has answered

        async def send(message: Message) -> None:
            nonlocal start_message
            start_message = message if message["type"] == "http.response.start" else start_message
            response_body.extend(message.get("body", b""))

        await self._app({**self._make_plain_scope(scope), "method": "GET", "query_string": b""}, receive, send)
        response_headers = Headers(raw=list(start_message["headers"]))
        if start_message["status"] != 200 or len(response_body) > MAX_FILE_BYTES:
            return None
        page_bytes = bytes(response_body)
        if page_name := self._pages.get(cache_key.path):
            head_html, html = self._files.make_page_head(page_name), page_bytes.decode()
            page_bytes = (write_page(html, head_html) or html.replace("<head>", f"<head>{head_html}", 1)).encode()
        return await asyncio.to_thread(CachedFile.from_body, page_bytes, response_headers["content-type"])

    def _make_plain_scope(self, scope: Scope) -> Scope:
        """Return a scope for the app that names our files as it does, and in which nothing asks for compression."""
        web_path = f"/web/{scope['path'].removeprefix(self._files.prefix)}"
        app_path = web_path if scope["path"].startswith(self._files.prefix) else scope["path"]
        dropped_headers = (b"accept-encoding", b"cookie", b"if-none-match", b"if-modified-since")
        headers = [(header, value) for header, value in scope["headers"] if header.lower() not in dropped_headers]
        # a state of its own, as the app's framework writes into it
        scope_state = dict(scope.get("state", {}))
        return {**scope, "path": app_path, "raw_path": app_path.encode(), "headers": headers, "state": scope_state}


async def _redirect_request(send: Send, address: str) -> None:
    """Lead a page that was loaded before an update to the file as it is now."""
    headers = [(b"location", address.encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 307, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def build_own_files(
    static_folder: Path, game_folders: Mapping[str, Path], pages: Iterable[str], widget_list: Mapping[str, object]
) -> StaticFileStore:
    """Return our files: those of pages, the widgets and tiles of games (given by their folders), and their list."""
    web_folders = find_web_folders(game_folders)
    folders = {"": static_folder} | {f"games/{game_name}/": folder for game_name, folder in web_folders.items()}
    content_by_tile = {
        make_tile_address(game_name, tile_path).removeprefix("/web/"): tile_path.read_bytes()
        for game_name, tile_path in find_tiles(game_folders).items()
    }
    return StaticFileStore(folders, {"widgets.json": json.dumps(widget_list).encode(), **content_by_tile}, pages)
