"""A connection to a server: the vendor's package writes the head of one request, and all requests are sent with it.

The packages take 0.4 ms to build a request and read its response, three times what sending takes, nearly all of it for
a URL and headers that are the same every time. So a package writes one request to nobody, and those that are sent
differ from it in their body alone. What carries them is aiohttp, as in the packages' own clients of that name.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import ssl
import urllib.request
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol
from urllib.parse import urljoin, urlsplit

import orjson

from engine.core.events import Json, make_encoder
from players.common.endpoint import Endpoint
from players.common.request_errors import (
    InvalidRequest,
    RedirectedRequest,
    RequestError,
    ServerUnreachable,
    make_one_line,
    map_status_to_error,
)
from players.common.streaming import read_json_body

MAX_CONNECTIONS, KEEPALIVE_SECONDS = 1000, 5.0
"""As in the packages' own clients."""
PROTOCOL_PATHS = ("/chat/completions", "/responses", "/messages")
"""What the packages append to a base URL."""
_encode_json = make_encoder(ensure_ascii=False)


class RequestWriter(Protocol):
    """The part of a protocol that its package carries out."""

    package: str
    path: str

    def client(self, sdk: ModuleType, endpoint: Endpoint, http_client: Any) -> tuple[Any, Json]:
        """Return a client of the package that sends with `http_client`, and the headers of each request."""
        ...


@dataclass(frozen=True, slots=True, repr=False)
class Connection:
    """Open connections to one server; `session` has the headers of all requests, and so the key."""

    session: Any
    url: str
    timeout: float
    proxy: str | None

    async def post(
        self, request_body: Json, read_response: Callable[[Any], Awaitable[Any]] = read_json_body
    ) -> tuple[Any, Mapping[str, str]]:
        """Send a request; return what `read_response` makes of a response that is a success, and its headers.

        Raises a `RequestError`.
        """
        from aiohttp import ClientError

        encoded_body = _encode_body(request_body)
        try:
            async with asyncio.timeout(self.timeout):
                async with self.session.post(
                    self.url, data=encoded_body, allow_redirects=False, proxy=self.proxy
                ) as server_response:
                    if 200 <= server_response.status < 300:
                        return await read_response(server_response), server_response.headers
                    error_content = await server_response.read()
        except TimeoutError:
            request_error: RequestError = ServerUnreachable(f"no answer within {self.timeout:g} s")
        except RequestError as error:
            request_error = error
        except (ClientError, OSError) as error:
            request_error = ServerUnreachable(f"no connection: {make_one_line(error)}")
        else:
            request_error = _map_response(server_response.status, error_content, server_response.headers, self.url)
        raise request_error  # here, so that it does not carry an error that holds the request

    async def close(self) -> None:
        """Close the connections."""
        await self.session.close()


async def connect(protocol: RequestWriter, endpoint: Endpoint) -> Connection:
    """Return a connection to a server, which is made at the first request. Raises `RequestError`."""
    sdk, tls_context = await asyncio.to_thread(_import_package, protocol.package)
    from aiohttp import ClientSession, ClientTimeout, TCPConnector

    try:
        url, request_headers = await _write_request_head(protocol, sdk, endpoint)
        proxy_url = _find_proxy(url)
    except Exception as error:
        connect_error = InvalidRequest(f"{type(error).__name__}: {make_one_line(error)}")
    else:
        connector = TCPConnector(limit=MAX_CONNECTIONS, keepalive_timeout=KEEPALIVE_SECONDS, ssl=tls_context)
        session = ClientSession(connector=connector, headers=request_headers, timeout=ClientTimeout(total=None))
        return Connection(session, url, endpoint.server.timeout, proxy_url)
    raise connect_error


def _import_package(package: str) -> tuple[ModuleType, ssl.SSLContext]:
    """Import a vendor's package and read the certificates, which takes 40 ms."""
    sdk = importlib.import_module(package)
    from httpx2 import create_ssl_context

    return sdk, create_ssl_context()


async def _write_request_head(
    protocol: RequestWriter, sdk: ModuleType, endpoint: Endpoint
) -> tuple[str, list[tuple[str, str]]]:
    """Return URL and headers of a request that the package has written."""
    from httpx2 import AsyncClient, MockTransport, Response

    mock_client = AsyncClient(transport=MockTransport(lambda _: Response(200)), trust_env=False)
    client, request_headers = protocol.client(sdk, endpoint, mock_client)
    request_options = {"headers": request_headers, "max_retries": 0, "timeout": endpoint.server.timeout}
    async with client:
        head_request = (await client.post(protocol.path, body={}, cast_to=Response, options=request_options)).request
    del head_request.headers["content-length"]
    head_request.headers["accept-encoding"] = "gzip, deflate"
    return str(head_request.url), list(head_request.headers.multi_items())


def _find_proxy(url: str) -> str | None:
    """Return the proxy that the environment names for a URL."""
    parsed_url = urlsplit(url)
    if urllib.request.proxy_bypass(parsed_url.hostname or ""):
        return None
    proxy_by_scheme = urllib.request.getproxies()
    return proxy_by_scheme.get(parsed_url.scheme) or proxy_by_scheme.get("all")


def _encode_body(request_body: Json) -> bytes:
    """Return the JSON of a body. Raises `InvalidRequest` for a number or a text that JSON does not have."""
    with suppress(TypeError):  # integers of more than 64 bits, and lone surrogates
        encoded_body = orjson.dumps(request_body)
        if b"null" not in encoded_body:  # orjson writes what is not a number as null
            return encoded_body
    try:
        return _encode_json(request_body).encode()
    except ValueError as error:
        raise InvalidRequest(f"this cannot be sent: {make_one_line(error)}") from None


def _map_response(status: int, error_content: bytes, response_headers: Mapping[str, str], url: str) -> RequestError:
    """Return our error for a response that is no success."""
    if 300 <= status < 400 and (redirect_location := response_headers.get("location")):
        return RedirectedRequest(f"it answered {status}: {_read_redirect_target(url, redirect_location)}")
    error_text = error_content.decode("utf-8", "replace").strip()
    try:
        error_body = json.loads(error_text)
    except (ValueError, RecursionError):
        error_body = error_text
    return map_status_to_error(status, error_body, response_headers)


def _read_redirect_target(request_url: str, redirect_location: str) -> str:
    """Return where a redirect points, as a base URL: without credentials, query and the path of the protocol."""
    try:
        parsed_url = urlsplit(urljoin(request_url, redirect_location))
        host_name = parsed_url.netloc.rpartition("@")[2]
    except ValueError:
        return "it redirects to an invalid address"
    base_path = parsed_url.path
    for protocol_path in PROTOCOL_PATHS:
        base_path = base_path.rstrip("/").removesuffix(protocol_path)
    return f"it redirects to {make_one_line(f'{parsed_url.scheme}://{host_name}{base_path}')}"
