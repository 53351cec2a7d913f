"""What a proxy in front says of a request: whose it is, by which scheme and host it came.

Forwarded headers are believed only from the addresses of `--trusted-proxy`, X-Forwarded-Host besides only with a public
URL. They end here: nothing behind reads them (Gradio would believe everybody's). The address of the visitor is for
limits in memory; it is neither stored nor logged.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.server.guard import discard_body, read_host_and_port, send_refusal

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

PROXY_HEADERS = frozenset(
    {
        *("forwarded", "via", "x-real-ip", "x-gradio-server"),
        *("x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto", "x-forwarded-prefix"),
    }
)
"""Headers that only a proxy sets; the app behind sees none of them."""
HOST_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-_")
SOCKET_SCHEMES = {"http": "ws", "https": "wss"}


class BadForwarding(ValueError):
    """A forwarded header cannot be read; the message says which."""


class ForwardedHeaders:
    """Takes the forwarded headers from every request and sets `scope["client"]`, the scheme and the Host by them.

    `state["address"]` is the visitor's address in the form that limits count, None where it is unknown: behind a
    proxy that is not declared, all would share one. `state["is_trusted"]` says whether a trusted proxy passed the
    request on, `state["is_proxied"]` whether any did.
    """

    def __init__(self, app: ASGIApp, *, proxy_networks: Sequence[Network], public_url: str | None) -> None:
        self._app, self._proxies = app, tuple(proxy_networks)
        self._public_host = read_host_and_port(public_url) if public_url else None
        self._public_scheme = urlsplit(public_url).scheme.lower() if public_url else "http"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on without forwarded headers; answer 400 where one cannot be read."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        try:
            self._rewrite_scope(scope)
        except BadForwarding as error:
            if scope["type"] == "http":
                await discard_body(receive)
            await send_refusal(scope, send, 400, str(error))
            return
        await self._app(scope, receive, send)

    def _rewrite_scope(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        peer = _parse_address(scope["client"][0]) if scope.get("client") else None
        is_trusted_peer = peer is not None and self._trusts_proxy(peer)
        forwarded_host = _read_last_value(headers, "x-forwarded-host")
        if forwarded_host is not None and not _is_host(forwarded_host):
            raise BadForwarding("X-Forwarded-Host names no host")
        scope_state = scope.setdefault("state", {})
        scope_state["is_trusted"] = is_trusted_peer
        scope_state["is_proxied"] = is_trusted_peer or any(header_name in headers for header_name in PROXY_HEADERS)
        is_undeclared = self._public_host is not None and not self._proxies and peer is not None and peer.is_loopback
        scope_state["address"] = None if is_undeclared or peer is None else address_key(peer)
        host_name = headers.get("host", "")
        url_scheme = None
        if is_trusted_peer:
            if visitor_address := self._find_visitor_address(headers):
                scope["client"] = (str(visitor_address), 0)
                scope_state["address"] = address_key(visitor_address)
            else:
                scope_state["address"] = None
            url_scheme = (_read_last_value(headers, "x-forwarded-proto") or "").lower()
            if forwarded_host is not None and self._public_host is not None:
                host_name = forwarded_host
        scope["headers"] = [pair for pair in scope["headers"] if pair[0].decode("latin-1").lower() not in PROXY_HEADERS]
        if host_name != headers.get("host", ""):
            scope["headers"] = [pair for pair in scope["headers"] if pair[0].lower() != b"host"]
            scope["headers"].append((b"host", host_name.encode("latin-1")))
        if self._is_public(host_name):  # also where the proxy says nothing of the scheme
            url_scheme = self._public_scheme
        if url_scheme in SOCKET_SCHEMES:
            scope["scheme"] = SOCKET_SCHEMES[url_scheme] if scope["type"] == "websocket" else url_scheme

    def _find_visitor_address(self, headers: Headers) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        """Return the last address that no trusted proxy has, None if all are trusted or the header is missing.

        What stands before it was written by the visitor and is not read.
        """
        addresses_text = ",".join(headers.getlist("x-forwarded-for"))
        for address_text in reversed(addresses_text.split(",") if addresses_text else []):
            visitor_address = _parse_address(address_text.strip())
            if visitor_address is None:
                if address_text.strip().lower() == "unknown":
                    return None
                raise BadForwarding("X-Forwarded-For holds something that is no address")
            if not self._trusts_proxy(visitor_address):
                return visitor_address
        return None

    def _trusts_proxy(self, peer_address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
        return any(peer_address in proxy_network for proxy_network in self._proxies)

    def _is_public(self, host: str) -> bool:
        if self._public_host is None:
            return False
        default_port = {"http": ":80", "https": ":443"}.get(self._public_scheme, "")
        return host.lower().removesuffix(default_port) == self._public_host


def address_key(ip_address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    """Return what limits count as one address: an IPv4 address, or the /64 network of an IPv6 address."""
    if isinstance(ip_address, ipaddress.IPv4Address):
        return str(ip_address)
    return str(ipaddress.IPv6Network((ip_address, 64), strict=False))


def _parse_address(address_text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an address, which may carry a port; an IPv4 address in IPv6 form as IPv4."""
    if address_text.startswith("["):
        address_text = address_text[1:].partition("]")[0]
    elif address_text.count(":") == 1:
        address_text = address_text.partition(":")[0]
    try:
        ip_address = ipaddress.ip_address(address_text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(ip_address, ipaddress.IPv6Address) and ip_address.ipv4_mapped:
        return ip_address.ipv4_mapped
    return ip_address


def _is_host(host_text: str) -> bool:
    """Return whether a text is a name or an address, with or without a port."""
    if host_text.startswith("["):
        host_name, bracket, port = host_text[1:].partition("]")
        is_address = bool(bracket) and _parse_address(host_name) is not None
        return is_address and (not port or (port[0] == ":" and _is_port(port[1:])))
    host_name, separator, port = host_text.partition(":")
    return bool(host_name) and HOST_CHARACTERS.issuperset(host_name.lower()) and (not separator or _is_port(port))


def _is_port(port_text: str) -> bool:
    return port_text.isascii() and port_text.isdigit() and len(port_text) <= 5


def _read_last_value(headers: Headers, header_name: str) -> str | None:
    """Return the last value of a header: the one that the nearest proxy wrote."""
    header_values = headers.getlist(header_name)
    return header_values[-1].rpartition(",")[2].strip() if header_values else None
