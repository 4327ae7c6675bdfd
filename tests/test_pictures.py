"""Pictures that students hand in: every common kind is read, made small and harmless, and no other is shown."""

import base64
import io
import struct
import time
import zlib

import pytest
from PIL import Image, ImageDraw

from coursekit.engine.reader.pictures import SIDE, reduced_picture
from coursekit.engine.reader.repair.embedded import attached_pictures, extract_pictures, join_texts
from coursekit.engine.shared.reader_messages import MAX_PICTURE, picture_type

NOISE = Image.effect_noise((400, 300), 80).convert("RGB")


def file_of(image, kind, **options):
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def shown(data):
    """What a page shows of a picture."""
    result = reduced_picture(data)
    assert picture_type(result) in ("image/jpeg", "image/png") and len(result) <= MAX_PICTURE
    image = Image.open(io.BytesIO(result))
    image.load()
    return image


def halves(mode, left, right):
    """A picture whose halves have two colours."""
    image = Image.new(mode, (40, 20), left)
    ImageDraw.Draw(image).rectangle((20, 0, 40, 20), right)
    return image


KINDS = {
    "png": file_of(NOISE, "PNG"),
    "jpeg": file_of(NOISE, "JPEG"),
    "cmyk jpeg": file_of(NOISE.convert("CMYK"), "JPEG"),
    "grey jpeg": file_of(NOISE.convert("L"), "JPEG"),
    "gif": file_of(NOISE, "GIF"),
    "webp": file_of(NOISE, "WEBP"),
    "bmp": file_of(NOISE, "BMP"),
    "tiff": file_of(NOISE, "TIFF"),
    "transparent png": file_of(NOISE.convert("RGBA"), "PNG"),
    "palette png": file_of(NOISE.convert("P"), "PNG", transparency=0),
    "black and white png": file_of(NOISE.convert("1"), "PNG"),
    "16-bit png": file_of(NOISE.convert("L").convert("I;16"), "PNG"),
    "32-bit tiff": file_of(NOISE.convert("F"), "TIFF"),
    "phone's jpeg with a second picture": file_of(NOISE, "MPO", save_all=True, append_images=[NOISE]),
    "animated gif": file_of(NOISE, "GIF", save_all=True, append_images=[NOISE.rotate(9)] * 3),
    "one pixel": file_of(NOISE.resize((1, 1)), "PNG"),
}


@pytest.mark.parametrize("data", KINDS.values(), ids=KINDS)
def test_every_common_kind_is_shown(data):
    image = shown(data)
    assert image.mode in ("RGB", "L", "P", "1") and max(image.size) <= SIDE


def test_a_photo_that_lost_its_end_is_shown():
    data = file_of(NOISE, "JPEG")
    assert shown(data[: len(data) * 2 // 3]).size == NOISE.size


def test_a_large_photo_is_made_small():
    data = file_of(Image.effect_noise((2400, 1800), 8), "JPEG", quality=95)
    assert len(data) > MAX_PICTURE and shown(data).size == (SIDE, SIDE * 3 // 4)


@pytest.mark.parametrize("turn", range(1, 9))
def test_a_photo_is_shown_upright(turn):
    original = halves("RGB", "white", "black")
    backwards = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}
    exif = Image.Exif()
    exif[0x0112] = turn
    stored = original.transpose(backwards[turn]) if turn > 1 else original
    image = shown(file_of(stored, "JPEG", exif=exif, quality=95)).convert("L")
    assert image.size == (40, 20) and image.getpixel((5, 10)) > 200 and image.getpixel((35, 10)) < 50


def test_sixteen_bits_keep_light_and_dark():
    image = shown(file_of(halves("I;16", 500, 3000), "PNG")).convert("L")
    assert image.getpixel((5, 10)) < 50 and image.getpixel((35, 10)) > 200


def test_what_is_transparent_becomes_white():
    image = shown(file_of(Image.new("RGBA", (9, 9), (0, 0, 0, 0)), "PNG"))
    assert image.convert("L").getpixel((4, 4)) == 255


def test_nothing_but_pixels_is_kept():
    exif = Image.Exif()
    exif[0x010E] = "where it was taken"
    data = (
        file_of(NOISE, "JPEG", exif=exif, comment=b"<script>alert(1)</script>") + b"<script>alert(2)</script>"
    )
    assert b"script" in data and b"taken" in data
    for piece in (b"script", b"taken", b"Exif"):
        assert piece not in reduced_picture(data)


def bomb(width, height):
    """A PNG of a few bytes that says that it has so many pixels."""

    def chunk(kind, content):
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return (
        b"\x89PNG\r\n\x1a\n"
        + header
        + chunk(b"IDAT", zlib.compress(bytes(min((3 * width + 1) * height, 8_000_000))))
        + chunk(b"IEND", b"")
    )


def scans(count):
    """A JPEG of many passes, each of which a decoder goes through the whole picture for."""
    data = file_of(Image.new("L", (8000, 8000)), "JPEG", progressive=True)
    last = data.rindex(b"\xff\xda")
    return data[:last] + data[last:-2] * count + data[-2:]


NO_PICTURES = {
    "nothing": b"",
    "svg": b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    "a png's beginning": KINDS["png"][:20],
    "a jpeg's beginning": KINDS["jpeg"][:3],
    "decompression bomb": bomb(50_000, 50_000),
    "long side": bomb(2**31 - 1, 1),
    "jpeg of many passes": scans(300),
    "postscript": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
}


@pytest.mark.parametrize("data", NO_PICTURES.values(), ids=NO_PICTURES)
def test_what_is_no_picture_is_not_shown(data):
    started = time.process_time()
    assert reduced_picture(data) == b""
    assert time.process_time() - started < 1


def encoded(data):
    return base64.b64encode(data).decode()


ATTACHMENTS = {
    "as Jupyter writes it": {"a.png": {"image/png": encoded(KINDS["png"])}},
    "in lines": {"a.png": {"image/png": [encoded(KINDS["png"])[:99] + "\n", encoded(KINDS["png"])[99:]]}},
    "of another type than it says": {"a.png": {"image/gif": encoded(KINDS["png"])}},
    "beside a drawing": {"a.png": {"image/svg+xml": "PHN2Zz4=", "image/png": encoded(KINDS["png"])}},
}


@pytest.mark.parametrize("attachments", ATTACHMENTS.values(), ids=ATTACHMENTS)
def test_an_attachment_is_read(attachments):
    assert attached_pictures(attachments)["a.png"]() == KINDS["png"]


@pytest.mark.parametrize(
    "attachments",
    [None, [], "a", {"a.png": "text"}, {"a.png": {}}, {"a" * 1000: {"image/png": ""}}, {"a.png": {1: ""}}],
)
def test_what_is_no_attachment_is_ignored(attachments):
    assert attached_pictures(attachments) == {}


@pytest.mark.parametrize("value", [None, 5, "no base64", [1, 2], {"a": 1}, "é"])
def test_an_attachment_without_data_is_empty(value):
    assert reduced_picture(attached_pictures({"a.png": {"image/png": value}})["a.png"]()) == b""


DATA = f"data:image/png;base64,{encoded(KINDS['one pixel'])}"
TEXTS = {
    "markdown": f"![mine]({DATA})",
    "html": f'<img alt="mine" src="{DATA}" width="300"/>',
    "html with a single quote": f"<img src='{DATA}'>",
    "a reference": f"![mine][one]\n\n[one]: <{DATA}>",
    "with a character set": f"![mine]({DATA.replace(';', ';charset=utf-8;', 1)})",
    "in capitals": f"![mine]({DATA.replace('data:image/png', 'data:image/PNG')})",
    "percent-encoded": f"![mine]({DATA.replace('=', '%3D').replace('+', '%2B')})",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_picture_in_the_text_is_taken_out(text):
    source, pictures = extract_pictures(f"Before.\n\n{text}\n\nAfter words.")
    ((name, picture),) = pictures.items()
    assert picture() == KINDS["one pixel"] and f"attachment:{name}" in source and "base64" not in source
    assert source.startswith("Before.") and source.endswith("After words.")


def test_the_same_picture_has_the_same_name():
    assert extract_pictures(TEXTS["markdown"])[1].keys() == extract_pictures(TEXTS["html"])[1].keys()


def test_two_pictures_of_one_name_are_both_kept():
    text, pictures = join_texts([("![](attachment:image.png)", {"image.png": bytes}) for _ in range(3)])
    assert len(pictures) == 3 and all(f"attachment:{name}" in text for name in pictures)


LONG_TEXTS = {
    "beginnings": "data:image/png;base64," * 200_000,
    "parameters": "data:image/png" + ";a" * 2_000_000,
    "a whole photo": "data:image/jpeg;base64," + "QUJD" * 4_000_000,
    "blanks": "data:image/png;base64," + "A " * 2_000_000,
}


@pytest.mark.parametrize("text", LONG_TEXTS.values(), ids=LONG_TEXTS)
def test_taking_pictures_out_takes_time_in_proportion_to_the_text(text):
    started = time.process_time()
    extract_pictures(text)
    assert time.process_time() - started < 2
