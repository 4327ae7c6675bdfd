"""Sentences become one recording: silence around each taken off, pauses put between, the loudness of a broadcast.

Loudness is EBU R 128's integrated loudness in LUFS, peaks are in dB below full scale.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coursekit.authoring.narration import MISSING
from coursekit.authoring.narration.script import Sentence
from coursekit.engine.shared.errors import CourseError

try:
    import loudness
    import soxr
except ModuleNotFoundError as error:
    raise CourseError(MISSING.format(name=error.name)) from error

RATE = 24_000  # samples a second of every file
LUFS = -16.0  # what podcasts have: as loud as a student's other audio
PEAK = -1.5  # mp3 rounds the wave; this leaves it room
BEFORE, BETWEEN, AFTER_PARAGRAPH, AFTER = 0.15, 0.4, 0.8, 0.5  # seconds of silence
QUIET = -50.0  # dB under the loudest sample: below that nobody speaks
KEEP = 0.04  # seconds of it left on each side, where consonants fade


class TooQuiet(CourseError):
    """There is no speech in it."""


@dataclass(frozen=True)
class Sound:
    """Sound of one channel: samples from -1 to 1, so many a second."""

    samples: np.ndarray
    rate: int

    @property
    def seconds(self) -> float:
        return len(self.samples) / self.rate


@dataclass(frozen=True)
class Span:
    """When a sentence is heard, in seconds from the file's beginning; spans touch, so there is always a cue."""

    begin: float
    end: float
    text: str


def join(parts: Sequence[tuple[Sentence, Sound]]) -> tuple[Sound, list[Span]]:
    """Sentences one after another, with pauses; a cue changes in the middle of the pause.

    Raises:
        TooQuiet: a sentence is silent.
    """
    pieces, spans, now, begin = [silence(BEFORE)], [], BEFORE, 0.0
    for number, (sentence, sound) in enumerate(parts, 1):
        try:
            said = trim(at_rate(sound))
        except TooQuiet as error:
            raise TooQuiet(f"{error}: {sentence.text[:60]!r}") from error
        pause = AFTER if number == len(parts) else AFTER_PARAGRAPH if sentence.last else BETWEEN
        pieces += [said.samples, silence(pause)]
        now += said.seconds + pause
        end = now if number == len(parts) else now - pause / 2
        spans.append(Span(begin, end, sentence.text))
        begin = end
    return Sound(np.concatenate(pieces), RATE), spans


def silence(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * RATE), np.float32)


def at_rate(sound: Sound) -> Sound:
    """At this course's rate."""
    samples = np.asarray(sound.samples, np.float32)
    return Sound(samples if sound.rate == RATE else soxr.resample(samples, sound.rate, RATE), RATE)


def trim(sound: Sound) -> Sound:
    """Without the silence before and behind.

    Raises:
        TooQuiet: there is nothing else in it.
    """
    level = np.abs(sound.samples)
    loud = np.flatnonzero(level > level.max(initial=0) * 10 ** (QUIET / 20))
    if not len(loud) or level.max() < 1e-3:
        raise TooQuiet("the voice was silent")
    margin = round(KEEP * sound.rate)
    return Sound(sound.samples[max(0, loud[0] - margin) : loud[-1] + margin], sound.rate)


def measure(sound: Sound) -> float:
    """Integrated loudness in LUFS.

    Raises:
        TooQuiet: less than 0.4 s, or silent.
    """
    try:
        found = float(loudness.integrated_loudness(np.asarray(sound.samples, np.float32), sound.rate))
    except ValueError as error:
        raise TooQuiet("less than 0.4 seconds cannot be measured") from error
    if not np.isfinite(found):
        raise TooQuiet("it is silent")
    return found


def as_loud_as(sound: Sound, lufs: float = LUFS) -> Sound:
    """With this loudness and no peak above PEAK. Limiting peaks takes a little loudness, so it is done until it fits.

    Raises:
        TooQuiet: it cannot be measured.
    """
    made, gain = sound, 0.0
    for _ in range(6):
        gain += lufs - measure(made)
        made = Sound(limit(sound.samples * np.float32(10 ** (gain / 20)), sound.rate), sound.rate)
        if abs(measure(made) - lufs) < 0.05:
            break
    return made


def limit(samples: np.ndarray, rate: int) -> np.ndarray:
    """Peaks turned down to PEAK, a hundredth of a second ahead of them, so that nobody hears it.

    The least gain within a window each side, averaged over such a window, is never more than the peak allows.
    """
    ceiling = 10 ** (PEAK / 20)
    gain = np.minimum(1, ceiling / np.maximum(np.abs(samples), 1e-9)).astype(np.float32)
    if gain.min(initial=1) == 1:
        return samples
    half = round(0.01 * rate)
    least = _least(np.pad(gain, half, mode="edge"), 2 * half + 1)
    sums = np.cumsum(np.pad(least, (half + 1, half), mode="edge"), dtype=np.float64)
    smooth = (sums[2 * half + 1 :] - sums[: -2 * half - 1]) / (2 * half + 1)
    return (samples * smooth).astype(np.float32)


def _least(values: np.ndarray, width: int) -> np.ndarray:
    """The least of each `width` neighbours, of windows twice as wide each time.

    >>> _least(np.array([3, 1, 4, 1, 5, 9, 2, 6]), 3).tolist()
    [1, 1, 1, 1, 2, 2]
    """
    done = 1
    while done < width:
        step = min(done, width - done)
        values = np.minimum(values[:-step], values[step:])
        done += step
    return values
