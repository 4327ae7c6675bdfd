"""The files of a segment: mp3, and WebVTT cues."""

import html
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from coursekit.authoring.narration import MISSING
from coursekit.authoring.narration.sound import LUFS, Sound, Span, as_loud_as, measure
from coursekit.engine.shared.errors import CourseError

try:
    import soundfile
    import webvtt
except ModuleNotFoundError as error:
    raise CourseError(MISSING.format(name=error.name)) from error

# libsndfile's way to say 32 kbit/s at 24 kHz: the rates of MPEG-2 layer III go from 160 down to 8.
CONSTANT_32 = (160 - 32) / (160 - 8) + 0.008
SYNTHETIC = "Synthetic voice"  # how the comment of such a file begins
LATE = 0.047  # seconds of silence that mp3's coder puts before everything


@dataclass(frozen=True)
class Label:
    """What is written in the file itself, for whoever meets it without its page."""

    title: str
    artist: str  # may be empty
    comment: str


def encode(sound: Sound, label: Label) -> bytes:
    """As mp3: one channel, 32 kbit/s, 24 kHz. The same sound gives the same bytes."""
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
        for name, text in vars(label).items():
            if text:
                setattr(writer, name, text)
        writer.write(np.clip(sound.samples, -1, 1))
    return file.getvalue()


def encode_as_loud(sound: Sound, label: Label, lufs: float = LUFS) -> bytes:
    """As mp3 with this loudness when it is heard: coding takes the high frequencies, and most of a decibel with them.

    Raises:
        TooQuiet: it cannot be measured.
    """
    aim = lufs
    for _ in range(3):
        data = encode(as_loud_as(sound, aim), label)
        off = lufs - measure(decode(data))
        if abs(off) < 0.1:
            break
        aim += off
    return data


def decode(data: bytes) -> Sound:
    """What one hears of an mp3, or of any other sound that libsndfile reads; several channels become one.

    Raises:
        CourseError: it is none.
    """
    try:
        samples, rate = soundfile.read(io.BytesIO(data), dtype="float32", always_2d=True)
    except (OSError, soundfile.LibsndfileError, RuntimeError) as error:
        raise CourseError("is no sound that can be read") from error
    return Sound(samples.mean(axis=1), rate)


def form(data: bytes) -> tuple[str, int, int]:
    """(kind of file, channels, samples a second).

    Raises:
        CourseError: it is no sound.
    """
    try:
        info = soundfile.info(io.BytesIO(data))
    except (OSError, soundfile.LibsndfileError, RuntimeError) as error:
        raise CourseError("is no sound that can be read") from error
    return info.format, info.channels, info.samplerate


def replaceable(path: Path) -> bool:
    """May a synthetic voice write here? Not over a sound that is not marked as such a voice's: it is somebody's own."""
    try:
        with soundfile.SoundFile(path) as file:
            return file.comment.startswith(SYNTHETIC)
    except (OSError, soundfile.LibsndfileError, RuntimeError):
        return True  # nothing there, or no sound


def write_cues(spans: list[Span], note: str) -> bytes:
    """WebVTT, a cue a sentence, with a note above all."""
    cues = webvtt.WebVTT()
    cues.header_comments.append(note)
    for number, span in enumerate(spans):
        begin = span.begin + LATE if number else 0
        cues.captions.append(
            webvtt.Caption(_time(begin), _time(span.end + LATE), html.escape(span.text, quote=False))
        )
    return (cues.content.rstrip("\n") + "\n").encode()


def read_cues(data: bytes) -> list[Span]:
    """
    Raises:
        CourseError: it is no WebVTT.
    """
    try:
        cues = webvtt.from_string(data.decode())
        return [
            Span(
                cue.start_time.in_milliseconds() / 1000,
                cue.end_time.in_milliseconds() / 1000,
                html.unescape(" ".join(cue.lines)),
            )
            for cue in cues.captions
        ]
    except (
        UnicodeDecodeError,
        webvtt.errors.MalformedFileError,
        webvtt.errors.MalformedCaptionError,
    ) as error:
        raise CourseError(f"is no WebVTT: {error}") from error


def _time(seconds: float) -> str:
    return str(webvtt.models.Timestamp.from_seconds(round(seconds, 3)))


def title(script: Path) -> str:
    """
    >>> title(Path("narration/week1_attention/02_softmax.md"))
    'week1 attention, 02 softmax'
    """
    return f"{script.parent.name}, {script.stem}".replace("_", " ")
