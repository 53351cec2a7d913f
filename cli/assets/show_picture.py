"""`ludens assets show`: what is on a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.assets.library import load_library
from cli.output import UsageError, print_data
from engine.formats.transcript.printable import printable

if TYPE_CHECKING:
    from games.common.pictures import PictureDescription


def show_picture(id: Annotated[str, typer.Argument(help="The id of a picture, such as rooms/bedroom-1.")]) -> None:
    """Describe a picture, as its generator or data set does."""
    library = load_library()
    try:
        description, picture_set, path = library.description(id), library.set_of(id), library.path(id)
    except KeyError as error:
        raise UsageError(str(error)) from None
    for line in _description_lines(description):
        print_data(printable(line))
    print_data(f"file      {printable(str(path))}")
    print_data(f"set       {picture_set.title}; {picture_set.licence}")


def _description_lines(description: PictureDescription) -> list[str]:
    """Return a description as text: the kind, objects with attributes and boxes, relations, captions."""
    kind = f"{description.kind}{', ' + description.category if description.category else ''}"
    lines = [f"{description.id}: {kind}, {description.width} × {description.height}"]
    for item in description.objects:
        box = f"at {', '.join(map(str, item.box[:2]))}, {item.box[2]} × {item.box[3]}" if item.box else ""
        lines.append(f"  {item.id:24} {' '.join(item.attributes):28} {box}".rstrip())
    lines += [f"  {subject} {relation} {target}" for subject, relation, target in description.relations]
    lines += [f"  “{caption}”" for caption in description.captions]
    return lines
