"""Where a model answers: a server of players.toml with its key from the environment, and nothing that betrays it.

The key and the headers are read when a client is made and stand in no field, so that neither a representation nor a
traceback shows them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from engine.core.player import Address, ProviderContext, Server, UnknownPlayer

HERE = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server as a client needs it."""

    server: Server

    @classmethod
    def of(cls, address: Address, house: ProviderContext) -> Endpoint:
        """Return the endpoint of an address. Raises `UnknownPlayer` for a base URL that says more than where."""
        server = house.server(address)
        parts = urlsplit(server.base_url or "")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise UnknownPlayer(
                f"the base URL of {address.model} holds more than an address: end it at the path, such as /v1, "
                "and name the variable that holds its key (key_env)"
            )
        return cls(server)

    @property
    def id(self) -> tuple[str, str | None, str | None]:
        """What its clients and its limiter are shared by."""
        return self.server.name, self.server.base_url, self.server.key_env

    @property
    def is_here(self) -> bool:
        """Whether it is on this machine."""
        return urlsplit(self.server.base_url or "").hostname in HERE

    def key(self) -> str | None:
        """Return the key, None where none is sent."""
        return os.environ.get(self.server.key_env or "", "").strip() or None

    def lacks(self) -> str | None:
        """Say what is missing before it can be asked, None when nothing is."""
        if self.server.key_env and not self.key():
            return f"{self.server.name} needs a key: set {self.server.key_env}"
        return None

    def hidden(self, text: str) -> str:
        """Return a text with the key and the values of headers blotted out, also one cut short at the text's end."""
        secrets = [self.key(), *self.server.headers.values()]
        for secret in sorted((s for s in secrets if s and len(s) >= 4), key=len, reverse=True):
            text = _without_beginning(text.replace(secret, "***"), secret)
        return text


def _without_beginning(text: str, secret: str) -> str:
    """Blot out the first part of a secret where a text that was shortened ends in it."""
    said = text.rstrip("…'\"")
    for length in range(len(secret) - 1, 3, -1):
        if said.endswith(secret[:length]):
            return said[:-length] + "***" + text[len(said) :]
    return text
