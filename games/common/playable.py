"""Turns a picture file from any source into one that can be played: pixels only, at most MAX_SIDE_PIXELS long.

`make_playable_picture` returns the bytes that are served. A small file without metadata passes unchanged. Any other
file is decoded, rotated as its EXIF data says, converted to sRGB, scaled down and encoded again. `BadPicture` is raised
for a file that is not a picture, is truncated or is far too large. Its message does not name the file: the caller knows
it.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PIL import Image

MAX_SIDE_PIXELS = 1024
"""Pixels. Larger pictures are scaled down for play: models see no more detail, and pages load fast."""
MAX_FILE_BYTES = 64 * 2**20
MAX_PIXELS = 64_000_000
"""A larger picture is a decompression bomb or too large to play. The largest phone pictures have 50 million."""
MEDIA_TYPES = {"JPEG": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp"}
WEBP_QUALITY = 90
ORIENTATION_TAG = 0x0112
"""The EXIF tag for the orientation of the camera. From 5 on, the picture lies on its side."""

Size = tuple[int, int]
"""Width and height in pixels."""


class BadPicture(ValueError):
    """A file that cannot be played as a picture. The message says why."""


class PlayablePicture(NamedTuple):
    """A picture as it is played: bytes without metadata, its media type and its size in pixels."""

    data: bytes
    media_type: str
    width: int
    height: int


def make_playable_picture(picture_bytes: bytes) -> PlayablePicture:
    """Return a picture as it is played. Raises `BadPicture` if it is no picture, truncated or far too large."""
    image, size = _decode(picture_bytes, scales_down=True)
    kind = str(image.format)
    if max(size) <= MAX_SIDE_PIXELS and holds_only_pixels(picture_bytes, kind):
        return PlayablePicture(picture_bytes, MEDIA_TYPES[kind], *size)
    pixels = make_playable_image(image)
    buffer = BytesIO()
    if kind == "JPEG":
        pixels.save(buffer, "JPEG", quality=WEBP_QUALITY, subsampling=0)
    elif kind == "WEBP":
        pixels.save(buffer, "WEBP", quality=WEBP_QUALITY)
    else:
        pixels.save(buffer, "PNG", optimize=True)
    return PlayablePicture(buffer.getvalue(), MEDIA_TYPES[kind], *pixels.size)


def measure_picture(picture_bytes: bytes) -> tuple[Size, Size]:
    """Return the displayed size of a picture (rotated as its EXIF says) and its played size. Raises `BadPicture`."""
    image, size = _decode(picture_bytes, scales_down=True)
    if image.getexif().get(ORIENTATION_TAG, 1) >= 5:
        return (size[1], size[0]), compute_playable_size(image.height, image.width)
    return size, compute_playable_size(*image.size)


def open_picture(picture_bytes: bytes) -> Image.Image:
    """Decode a JPEG, PNG or WebP, after checking its size. Raises `BadPicture`."""
    return _decode(picture_bytes, scales_down=False)[0]


def _decode(picture_bytes: bytes, *, scales_down: bool) -> tuple[Image.Image, Size]:
    """Return the picture and its full size. `scales_down` scales a large JPEG while decoding it: much faster."""
    from PIL import Image, UnidentifiedImageError

    if not picture_bytes:
        raise BadPicture("the file is empty")
    if len(picture_bytes) > MAX_FILE_BYTES:
        raise BadPicture(f"{len(picture_bytes):,} bytes are more than a picture may have ({MAX_FILE_BYTES:,})")
    try:
        image = Image.open(BytesIO(picture_bytes), formats=tuple(MEDIA_TYPES))
        if image.width * image.height > MAX_PIXELS:
            raise BadPicture(f"{image.width} × {image.height} pixels are more than a picture may have ({MAX_PIXELS:,})")
        size = image.size
        if scales_down:
            image.draft(None, (MAX_SIDE_PIXELS, MAX_SIDE_PIXELS))
        image.load()
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise BadPicture(f"it claims more pixels than a picture may have ({MAX_PIXELS:,})") from None
    except UnidentifiedImageError:
        raise BadPicture("no JPEG, PNG or WebP picture") from None
    except BadPicture:
        raise
    except Exception as error:  # decoders raise OSError, SyntaxError, ValueError, EOFError, struct.error …
        raise BadPicture(f"broken or cut short ({error})") from None
    return image, size


def make_playable_image(image: Image.Image) -> Image.Image:
    """Return a picture rotated as its EXIF says, in sRGB, at most MAX_SIDE_PIXELS long, without metadata."""
    from PIL import Image, ImageOps

    image = _convert_to_srgb(ImageOps.exif_transpose(image))
    size = compute_playable_size(*image.size)
    if size != image.size:
        image = image.resize(size, Image.Resampling.LANCZOS)
    image_without_metadata = Image.new("RGB", image.size)
    image_without_metadata.paste(image)
    return image_without_metadata


def compute_playable_size(width: int, height: int) -> Size:
    """Return the size at which a picture of this size is played."""
    scale_factor = min(1.0, MAX_SIDE_PIXELS / max(width, height))
    return max(1, round(width * scale_factor)), max(1, round(height * scale_factor))


def _convert_to_srgb(image: Image.Image) -> Image.Image:
    """Return a picture in sRGB. Phones write wider colour spaces, which look dull once the profile is removed."""
    from PIL import Image, ImageCms

    profile = image.info.get("icc_profile")
    if profile and image.mode in ("RGB", "L", "CMYK"):
        try:
            source_profile = ImageCms.ImageCmsProfile(BytesIO(profile))
            converted_image = ImageCms.profileToProfile(
                image, source_profile, ImageCms.createProfile("sRGB"), outputMode="RGB"
            )
            if converted_image is not None:
                return converted_image
        except (ImageCms.PyCMSError, OSError):  # a broken profile, or one for another colour mode
            return image.convert("RGB")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        opaque_image = Image.new("RGBA", image.size, "white")
        opaque_image.alpha_composite(image.convert("RGBA"))
        return opaque_image.convert("RGB")
    return image.convert("RGB")


def holds_only_pixels(picture_bytes: bytes, kind: str) -> bool:
    """Return whether an encoded picture holds pixels only: no EXIF, XMP, profile, text or trailing bytes.

    `kind` is "JPEG", "PNG" or "WEBP".
    """
    try:
        return {"JPEG": _is_jpeg_without_metadata, "PNG": _is_png_without_metadata, "WEBP": _is_webp_without_metadata}[
            kind
        ](picture_bytes)
    except IndexError:
        return False


PNG_CHUNKS = {b"IHDR", b"PLTE", b"tRNS", b"IDAT"}


def _is_png_without_metadata(picture_bytes: bytes) -> bool:
    offset = 8
    while picture_bytes[offset + 4 : offset + 8] in PNG_CHUNKS:
        offset += 12 + int.from_bytes(picture_bytes[offset : offset + 4], "big")
    return (
        picture_bytes[offset + 4 : offset + 8] == b"IEND"
        and picture_bytes[offset : offset + 4] == bytes(4)
        and offset + 12 == len(picture_bytes)
    )


def _is_webp_without_metadata(picture_bytes: bytes) -> bool:
    if int.from_bytes(picture_bytes[4:8], "little") + 8 != len(picture_bytes):
        return False
    offset = 12
    while offset < len(picture_bytes):
        chunk_type, chunk_length = (
            picture_bytes[offset : offset + 4],
            int.from_bytes(picture_bytes[offset + 4 : offset + 8], "little"),
        )
        if chunk_type == b"VP8X" and picture_bytes[offset + 8] & ~0x10:  # any flag except transparency
            return False
        if chunk_type not in (b"VP8 ", b"VP8L", b"VP8X", b"ALPH"):
            return False
        offset += 8 + chunk_length + chunk_length % 2
    return offset == len(picture_bytes)


JPEG_START_MARKER, JPEG_END_MARKER, JPEG_SCAN_MARKER, JPEG_JFIF_MARKER, JPEG_ADOBE_MARKER = 0xD8, 0xD9, 0xDA, 0xE0, 0xEE
JPEG_SEGMENTS = {0xC0, 0xC1, 0xC2, 0xC4, 0xDB, 0xDD, JPEG_SCAN_MARKER}
"""Frames, Huffman and quantisation tables, restart interval, scan."""


def _is_jpeg_without_metadata(picture_bytes: bytes) -> bool:
    offset = 2
    while picture_bytes[offset] == 0xFF:
        marker = picture_bytes[offset + 1]
        if marker == JPEG_END_MARKER:
            return offset + 2 == len(picture_bytes)
        segment_length = int.from_bytes(picture_bytes[offset + 2 : offset + 4], "big")
        # JFIF without a thumbnail (16) and Adobe's colour flag (14) only say how to decode
        is_decoder_flag = (marker == JPEG_JFIF_MARKER and segment_length == 16) or (
            marker == JPEG_ADOBE_MARKER and segment_length == 14
        )
        if marker not in JPEG_SEGMENTS and not is_decoder_flag:
            return False
        offset += 2 + segment_length
        if marker == JPEG_SCAN_MARKER:
            offset = _find_marker(picture_bytes, offset)
    return False


def _find_marker(picture_bytes: bytes, offset: int) -> int:
    """Return the position of the next marker after entropy-coded bytes, which include 0xFF00 and restart markers."""
    while True:
        offset = picture_bytes.find(b"\xff", offset)
        if offset < 0:
            raise IndexError("no end of the picture")
        if picture_bytes[offset + 1] == 0 or 0xD0 <= picture_bytes[offset + 1] <= 0xD7:
            offset += 2
        else:
            return offset
