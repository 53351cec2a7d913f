"""`ludens assets show`: what is on a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.assets.library import load_library
from cli.output import UsageError, print_data

if TYPE_CHECKING:
    from games.common.pictures import PictureDescription


def show_picture(id: Annotated[str, typer.Argument(help="The id of a picture, such as rooms/bedroom-1.")]) -> None:
    """Describe a picture, as its generator or data set does."""
    library = load_library()
    try:
        description, picture_set, picture_path = library.description(id), library.picture_set(id), library.path(id)
    except KeyError as error:
        raise UsageError(str(error)) from None
    for description_line in _describe_picture(description):
        print_data(description_line)
    print_data(f"file      {picture_path}")
    print_data(f"set       {picture_set.title}; {picture_set.licence}")


def _describe_picture(description: PictureDescription) -> list[str]:
    """Return a description as text: the kind, objects with all that is said of them, relations, captions."""
    kind_text = f"{description.kind}{', ' + description.category if description.category else ''}"
    lines = [f"{description.id}: {kind_text}, {description.width} × {description.height}"]
    for picture_object in description.objects:
        box_text = (
            f"at {', '.join(map(str, picture_object.box[:2]))}, {picture_object.box[2]} × {picture_object.box[3]}"
            if picture_object.box
            else ""
        )
        texts = picture_object.writing.split("\n")
        writing_text = f"  “{' / '.join(texts)}”" if picture_object.writing else ""
        details_text = f"  {', '.join(picture_object.details)}" if picture_object.details else ""
        line = (
            f"  {picture_object.id:24} {' '.join(picture_object.attributes):28} {box_text}{writing_text}{details_text}"
        )
        lines.append(line.rstrip())
    lines += [f"  {subject_id} {relation} {object_id}" for subject_id, relation, object_id in description.relations]
    lines += [f"  “{caption}”" for caption in description.captions]
    return lines
