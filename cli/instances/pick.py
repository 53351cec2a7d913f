"""`ludens instances pick`: a person accepts or rejects candidate pairs on a page of their own machine.

The page (`pick_page.py`) is served on loopback, on a free port, under a random word that only the printed address has.
Every judgement is saved at once; "Done" writes the accepted pairs as an instance file beside the shipped one.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Annotated

import typer

from cli.output import CommandFailed, print_message


def pick_pairs(
    file: Annotated[Path, typer.Argument(help="Candidates, from `instances make … --pictures SET --candidates N`.")],
    port: Annotated[int, typer.Option(help="Port on this machine.  [default: a free one]", min=0, max=65535)] = 0,
    open: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    """Accept or reject candidate pairs by hand.

    Opens a page that only this machine can reach.
    """
    import uvicorn

    from cli.instances.candidates import Candidates
    from cli.instances.pick_page import make_app
    from cli.log_access import build_registry
    from cli.settings import load_settings

    settings = load_settings()
    candidates = Candidates(file)
    game = build_registry(settings).game(candidates.game)
    pair_maker = game.picture_pair_maker()
    if pair_maker is None:
        raise CommandFailed(f"{file}: {game.name} makes no instances from pictures; matchit does")
    import secrets
    import socket

    from games.common.pictures import LIBRARY

    secret = secrets.token_urlsafe(18)
    with socket.socket() as server_socket:
        server_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            server_socket.bind(("127.0.0.1", port))
            server_socket.listen()  # a browser that opens the address at once waits until the app runs
        except OSError as error:
            raise CommandFailed(
                f"port {port} cannot be used ({error.strerror}); leave out --port for a free one"
            ) from None
        address = f"http://127.0.0.1:{server_socket.getsockname()[1]}/{secret}/"
        print_message(
            f"{len(candidates.pairs)} pairs of {file}; every judgement is saved at once. Ctrl-C stops.\n{address}"
        )
        if open:
            import webbrowser

            threading.Timer(0.5, webbrowser.open, [address]).start()
        app = make_app(candidates, LIBRARY, secret, pair_maker.text_of)
        uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False)).run(sockets=[server_socket])
