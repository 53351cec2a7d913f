"""A server of players.toml as a client uses it, with its key from the environment, which nothing reveals.

Key and headers are read when a client is made and are stored in no field, so that neither a representation nor a
traceback shows them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from engine.core.player import Address, ProviderContext, Server, UnknownPlayer

LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server as a client needs it."""

    server: Server

    @classmethod
    def from_address(cls, address: Address, provider_context: ProviderContext) -> Endpoint:
        """Return the endpoint of an address. Raises `UnknownPlayer` for a base URL with credentials or a query."""
        server = provider_context.server(address)
        parsed_url = urlsplit(server.base_url or "")
        if parsed_url.username or parsed_url.password or parsed_url.query or parsed_url.fragment:
            raise UnknownPlayer(
                f"the base URL of {address.model} must end at its path, such as /v1: it may contain no key, query or "
                "fragment. Name the variable that holds the key (key_env); the rest of a query goes into "
                "query = {…} of players.toml"
            )
        return cls(server)

    @property
    def id(self) -> tuple[str, str | None, str | None]:
        """The key under which clients and the limiter are shared."""
        return self.server.name, self.server.base_url, self.server.key_env

    @property
    def is_local(self) -> bool:
        """Whether the server runs on this machine."""
        return urlsplit(self.server.base_url or "").hostname in LOCAL_HOSTS

    def read_key(self) -> str | None:
        """Return the key, None if none is sent."""
        return os.environ.get(self.server.key_env or "", "").strip() or None

    def explain_missing_key(self) -> str | None:
        """Return which key must be set before requests can be sent, None if no key is missing."""
        if self.server.key_env and not self.read_key():
            return f"{self.server.name} needs a key: set {self.server.key_env}"
        return None

    def redact(self, message_text: str) -> str:
        """Return a text without the key and the values of headers, even if one is cut off at the text's end."""
        secrets = [self.read_key(), *self.server.headers.values()]
        secrets += [quote(secret, safe="") for secret in secrets if secret]  # as a URL contains it
        for secret in sorted((secret for secret in secrets if secret and len(secret) >= 4), key=len, reverse=True):
            message_text = _redact_truncated_secret(message_text.replace(secret, "***"), secret)
        return message_text


def _redact_truncated_secret(message_text: str, secret: str) -> str:
    """Redact the beginning of a secret at which a shortened text ends."""
    stripped_text = message_text.rstrip("…'\"")
    for secret_length in range(len(secret) - 1, 3, -1):
        if stripped_text.endswith(secret[:secret_length]):
            return stripped_text[:-secret_length] + "***" + message_text[len(stripped_text) :]
    return message_text
