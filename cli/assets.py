"""`ludens assets`: the sets of pictures there are, what is on a picture, and data sets of the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.words import Failed, Wrong, console, out, say
from engine.formats.transcript.printable import printable

if TYPE_CHECKING:
    from games.common.datasets.source import RejectedFile
    from games.common.pictures import Library, PictureDescription

app = typer.Typer(help="List and import sets of pictures.")
SHOWN_FAULTS = 50
"""Of more faults than this only the number is told; a wrong download has one for every picture."""


@app.callback(invoke_without_command=True)
def list_sets(context: typer.Context) -> None:
    """List the sets of pictures there are, with their number and licence."""
    if context.invoked_subcommand is None:
        _list()


def _list() -> None:
    library = _library()
    screen = console()
    for one in library.sets():
        number = len(library.ids(set=one.name))
        screen.print(f"{one.name:14} {number:7,} pictures  {one.title}; {one.licence}")
        if one.citation:
            screen.print(f"{'':14} {one.citation}")
    for name, why in library.broken.items():
        say(f"{name} cannot be read: {why}")
    if not library.sets():
        say("there are no pictures: assets/ comes with a checkout; `ludens assets import --help` reads data sets")
    if library.broken:
        raise Failed("not every set can be read")


@app.command("import")
def import_(
    name: Annotated[str, typer.Argument(help="ade20k, visual-genome, docci or clevr")],
    path: Annotated[Path, typer.Argument(help="The folder of the data set, as its publisher lays it out.")],
    limit: Annotated[int | None, typer.Option(min=1, help="Register at most so many, evenly spread.")] = None,
    to: Annotated[Path | None, typer.Option(help="Folder to register in.  [default: imported]")] = None,
) -> None:
    """Register the pictures of a data set that you have. They are checked and stay where they are."""
    from cli.instances import progress_bar
    from games.common.datasets.register import DATASETS, register
    from games.common.datasets.source import BadAnnotations, WrongFolder

    if name not in DATASETS:
        raise Wrong(f"no data set {name!r}; there are: {', '.join(DATASETS)}")
    if not path.is_dir():
        raise Wrong(f"{path} is no folder; name the one that holds the data set")
    told = 0

    def tell(rejected: RejectedFile) -> None:
        nonlocal told
        told += 1
        if told <= SHOWN_FAULTS:
            say(printable(str(rejected)))

    try:
        with progress_bar() as bar:
            task = bar.add_task(name, total=None)
            made = register(
                DATASETS[name],
                path,
                to or _library().imported,
                limit=limit,
                progress=lambda done, of: bar.update(task, completed=done, total=of),
                on_rejected=tell,
            )
    except WrongFolder as error:
        raise Wrong(str(error)) from None
    except BadAnnotations as error:
        raise Failed(f"{error}. Nothing was registered; download that file again") from None
    faults = len(made.rejected)
    if told > SHOWN_FAULTS:
        say(f"… and {told - SHOWN_FAULTS:,} more")
    if made.remark:
        say(made.remark)
    if not made.count:
        raise Failed(f"no picture of {name} could be registered ({faults:,} faults); what was registered before stands")
    about = DATASETS[name].info
    number = f"{made.count:,} pictures{'' if made.changed else ', unchanged'}"
    say(f"{made.folder}: {number}; {about.title}, {about.licence}")
    if faults:
        raise Failed(f"{faults:,} could not be registered and {'are' if faults > 1 else 'is'} named above")


@app.command()
def show(id: Annotated[str, typer.Argument(help="The id of a picture, such as rooms/bedroom-1.")]) -> None:
    """Say what is on a picture, as its generator or data set describes it."""
    library = _library()
    try:
        described, about, path = library.description(id), library.set_of(id), library.path(id)
    except KeyError as error:
        raise Wrong(str(error)) from None
    for line in lines_of(described):
        out(printable(line))
    out(f"file      {printable(str(path))}")
    out(f"set       {about.title}; {about.licence}")


def lines_of(described: PictureDescription) -> list[str]:
    """Return a description as text: what, objects with attributes and boxes, relations, captions."""
    what = f"{described.kind}{', ' + described.category if described.category else ''}"
    lines = [f"{described.id}: {what}, {described.width} × {described.height}"]
    for thing in described.objects:
        place = f"at {', '.join(map(str, thing.box[:2]))}, {thing.box[2]} × {thing.box[3]}" if thing.box else ""
        lines.append(f"  {thing.id:24} {' '.join(thing.attributes):28} {place}".rstrip())
    lines += [f"  {subject} {word} {other}" for subject, word, other in described.relations]
    lines += [f"  “{caption}”" for caption in described.captions]
    return lines


@app.command()
def remove(name: Annotated[str, typer.Argument(help="The set to forget.")]) -> None:
    """Forget an imported set. Its pictures stay where they are."""
    from games.common.datasets.register import DATASETS
    from games.common.datasets.register import remove as forget

    library = _library()
    if name not in DATASETS or not forget(name, library.imported):
        there = ", ".join(one.name for one in library.sets() if one.name in DATASETS) or "none"
        raise Wrong(f"no imported set {name!r}; there are: {there}")
    say(f"{name} is forgotten; its pictures are where they were")


def _library() -> Library:
    from cli.settings import load

    load()
    from games.common.pictures import LIBRARY

    return LIBRARY
