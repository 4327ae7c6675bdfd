"""Make a picture that a student handed in small and harmless: its pixels, in a new file.

Pillow reads hostile bytes here. What it needs for one picture is limited by the picture's size, which it knows before
it decodes, and by the time and the memory that the reader has.
"""

import io
import warnings
from typing import Any

from coursekit.engine.shared.reader_messages import MAX_PICTURE

FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF", "MPO")  # MPO: what many phones call a JPEG
SIDE = 1600  # pixels of the longer side, at most: enough to read handwriting
MAX_PIXELS = 40_000_000
MAX_JPEG_PIXELS = 250_000_000  # a JPEG is decoded at a fraction of its size
START_OF_SCAN = b"\xff\xda"  # in a JPEG
MAX_SCANS = 100  # over the whole picture; a progressive JPEG has ten
ORIENTATION = 0x0112  # an EXIF tag: which side of a photo is up
TURNS = {2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}  # {its value: Pillow's Transpose}
MAX_COLOURS = 64  # a drawing or a screenshot with so few may be smaller as PNG


def reduced_picture(data: bytes) -> bytes:
    """Return a JPEG, or a PNG of few colours, with at most SIDE pixels a side; b"" if `data` is no such picture."""
    from PIL import Image  # only where there are pictures

    warnings.simplefilter("ignore")
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as opened:
            jpeg = opened.format in ("JPEG", "MPO")
            if opened.width * opened.height > (MAX_JPEG_PIXELS if jpeg else MAX_PIXELS):
                return b""
            if jpeg and data.count(START_OF_SCAN) > MAX_SCANS:
                return b""
            return _encoded(_upright(opened), few_colours=not jpeg)
    except Exception:  # Pillow raises many types of error on damaged files
        return b""


def _upright(image: Any) -> Any:
    """Return the first frame as it is meant to be seen, in RGB or grey, small, on white."""
    from PIL import Image, ImageFile

    ImageFile.LOAD_TRUNCATED_IMAGES = True  # most of a photo is better than none
    Image.MAX_IMAGE_PIXELS = None  # the caller has checked the size
    image.draft("RGB", (SIDE, SIDE))
    turn = image.getexif().get(ORIENTATION)
    image.load()
    if image.mode.startswith(("I", "F")):  # 16 bits of grey, or more
        image = image.convert("I" if image.mode.startswith("I") else "F")
        low, high = image.getextrema()
        scale = 255 / max(high - low, 1)
        image = image.point(lambda value: value * scale - low * scale).convert("L")
    if image.mode in ("P", "PA", "LA", "La", "RGBa") or "transparency" in image.info:
        image = image.convert("RGBA")
    if image.mode not in ("RGB", "L", "RGBA"):
        image = image.convert("RGB")
    image.thumbnail((SIDE, SIDE))
    if image.mode == "RGBA":
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")
    image.info.clear()  # where it was taken, and anything else
    return image.transpose(TURNS[turn]) if turn in TURNS else image


def _encoded(image: Any, few_colours: bool) -> bytes:
    """Return the file, in ever lower quality until it is small enough; b"" if it never is.

    Args:
        few_colours: the picture may have so few that PNG is smaller.
    """
    for side, quality in ((SIDE, 82), (SIDE * 2 // 3, 75), (SIDE // 3, 60)):
        image.thumbnail((side, side))
        files = [_saved(image, "JPEG", quality=quality)]
        if few_colours and image.getcolors(MAX_COLOURS) is not None:
            files.append(_saved(image, "PNG"))
        smallest = min(files, key=len)
        if len(smallest) <= MAX_PICTURE:
            return smallest
    return b""


def _saved(image: Any, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()
