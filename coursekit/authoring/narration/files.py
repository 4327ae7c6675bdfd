"""The files of a segment: mp3, and WebVTT cues."""

import html
import io
from pathlib import Path

import numpy as np

from coursekit.authoring.narration import MISSING
from coursekit.authoring.narration.sound import LUFS, Cue, Sound, amplified, measure
from coursekit.engine.shared.errors import CourseError

try:
    import soundfile
    import webvtt
    from webvtt.errors import MalformedCaptionError, MalformedFileError
    from webvtt.models import Timestamp
except ModuleNotFoundError as error:
    raise CourseError(MISSING.format(name=error.name)) from error

# libsndfile's compression level for 32 kbit/s at 24 kHz: the rates of MPEG-2 layer III go from 160 down to 8.
CONSTANT_32 = (160 - 32) / (160 - 8) + 0.008
SYNTHETIC = "Synthetic voice"  # how the comment in a file with such a voice begins
ENCODER_DELAY = 0.047  # seconds of silence that the mp3 encoder puts before everything
UNREADABLE = (OSError, soundfile.LibsndfileError, RuntimeError)


def encode(sound: Sound, tags: dict[str, str]) -> bytes:
    """Return the sound as mp3 at LUFS: one channel, 32 kbit/s. The same sound gives the same bytes.

    Limiting peaks and encoding both reduce the loudness, so the gain is corrected by measuring the result.

    Args:
        tags: `title`, `artist` and `comment`.
    """
    gain = LUFS - measure(sound)
    for _ in range(6):
        data = _encode(amplified(sound, gain), tags)
        missing = LUFS - measure(decode(data))
        if abs(missing) < 0.05:
            break
        gain += missing
    return data


def _encode(sound: Sound, tags: dict[str, str]) -> bytes:
    file = io.BytesIO()
    with soundfile.SoundFile(
        file,
        "w",
        samplerate=sound.rate,
        channels=1,
        format="MP3",
        subtype="MPEG_LAYER_III",
        bitrate_mode="CONSTANT",
        compression_level=CONSTANT_32,
    ) as writer:
        for name, text in tags.items():
            if text:
                setattr(writer, name, text)
        writer.write(np.clip(sound.samples, -1, 1))
    return file.getvalue()


def decode(data: bytes) -> Sound:
    """Return the sound of a file that libsndfile reads, its channels averaged; raise CourseError for others."""
    try:
        samples, rate = soundfile.read(io.BytesIO(data), dtype="float32", always_2d=True)
    except UNREADABLE as error:
        raise CourseError("is no sound that can be read") from error
    return Sound(samples.mean(axis=1), rate)


def audio_format(data: bytes) -> tuple[str, int, int]:
    """Return (kind of file, channels, samples per second) of a file that can be decoded."""
    info = soundfile.info(io.BytesIO(data))
    return info.format, info.channels, info.samplerate


def replaceable(path: Path) -> bool:
    """Return whether a synthetic voice may write this file: not if it is a sound without the mark of such a voice."""
    try:
        with soundfile.SoundFile(path) as file:
            return file.comment.startswith(SYNTHETIC)
    except UNREADABLE:
        return True  # there is no file, or none that can be read as sound


def write_cues(cues: list[Cue], note: str) -> bytes:
    """Return WebVTT with these cues, and the note at its beginning."""
    page = webvtt.WebVTT()
    page.header_comments.append(note)
    for number, cue in enumerate(cues):
        begin = cue.begin + ENCODER_DELAY if number else 0
        start, end = (Timestamp.from_seconds(round(time, 3)) for time in (begin, cue.end + ENCODER_DELAY))
        page.captions.append(webvtt.Caption(str(start), str(end), html.escape(cue.text, quote=False)))
    return _as_file(page)


def reword_cues(data: bytes, texts: list[str]) -> bytes:
    """Return WebVTT as `write_cues` made it, with these sentences at the times of its own, which are as many."""
    page = webvtt.from_string(data.decode())
    for caption, text in zip(page.captions, texts, strict=True):
        caption.text = html.escape(text, quote=False)
    return _as_file(page)


def _as_file(page: webvtt.WebVTT) -> bytes:
    return (page.content.rstrip("\n") + "\n").encode()


def read_cues(data: bytes) -> list[Cue]:
    """Return the cues of a WebVTT file; raise CourseError if it is not one."""
    try:
        captions = webvtt.from_string(data.decode()).captions
    except (UnicodeDecodeError, MalformedFileError, MalformedCaptionError) as error:
        raise CourseError(f"is no WebVTT: {error}") from error
    return [
        Cue(
            caption.start_time.in_milliseconds() / 1000,
            caption.end_time.in_milliseconds() / 1000,
            html.unescape(" ".join(caption.lines)),
        )
        for caption in captions
    ]
