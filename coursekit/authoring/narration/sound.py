"""Sentences become one recording: without silence around them, with pauses between, loud as a podcast, unclipped.

Loudness is EBU R 128's integrated loudness in LUFS, peaks are in dB below full scale. ffmpeg's filter `loudnorm` would
need ffmpeg, which Debian's base system does not have and which as a Python package (PyAV) is a wheel of 36 MB.
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
LUFS = -16.0  # as loud as podcasts, and so as a student's other audio
PEAK = -1.5  # dB; mp3 changes the wave a little, and must not clip it
BEFORE, BETWEEN, AFTER_PARAGRAPH, AFTER = 0.15, 0.4, 0.8, 0.5  # seconds of silence
QUIET = -50.0  # dB, relative to the loudest sample: below this nobody speaks
MARGIN = 0.04  # seconds of quiet left at each end, where consonants fade
FRAME = RATE // 100  # samples for which one gain is computed


class SilentAudio(CourseError):
    """A sound is silent, or too short to measure."""


@dataclass(frozen=True)
class Sound:
    """Sound of one channel: samples from -1 to 1, and how many there are per second."""

    samples: np.ndarray
    rate: int

    @property
    def seconds(self) -> float:
        return len(self.samples) / self.rate


@dataclass(frozen=True)
class Cue:
    """When a sentence is heard, in seconds from the file's beginning. Each cue ends where the next one begins."""

    begin: float
    end: float
    text: str


def join(parts: Sequence[tuple[Sentence, Sound]]) -> tuple[Sound, list[Cue]]:
    """Return the sentences one after another, with pauses, and their cues, which meet in the middle of each pause."""
    pieces, cues, now, begin = [_silence(BEFORE)], [], BEFORE, 0.0
    for number, (sentence, sound) in enumerate(parts, 1):
        try:
            speech = trimmed(sound)
        except SilentAudio as error:
            raise SilentAudio(f"{error}: {sentence.text[:60]!r}") from error
        is_last = number == len(parts)
        pause = AFTER if is_last else AFTER_PARAGRAPH if sentence.ends_paragraph else BETWEEN
        pieces += [speech.samples, _silence(pause)]
        now += speech.seconds + pause
        end = now if is_last else now - pause / 2
        cues.append(Cue(begin, end, sentence.text))
        begin = end
    return Sound(np.concatenate(pieces), RATE), cues


def _silence(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * RATE), np.float32)


def trimmed(sound: Sound) -> Sound:
    """Return the sound at RATE, without the silence at both ends, or raise SilentAudio if nothing is left."""
    samples = np.asarray(sound.samples, np.float32)
    if sound.rate != RATE:
        samples = soxr.resample(samples, sound.rate, RATE)
    level = np.abs(samples)
    loud = np.flatnonzero(level > level.max(initial=0) * 10 ** (QUIET / 20))
    if not len(loud) or level.max() < 1e-3:
        raise SilentAudio("the voice was silent")
    margin = round(MARGIN * RATE)
    return Sound(samples[max(0, loud[0] - margin) : loud[-1] + margin], RATE)


def measure(sound: Sound) -> float:
    """Return the integrated loudness in LUFS, or raise SilentAudio for less than 0.4 s and for silence."""
    try:
        lufs = float(loudness.integrated_loudness(np.asarray(sound.samples, np.float32), sound.rate))
    except ValueError as error:
        raise SilentAudio("less than 0.4 seconds cannot be measured") from error
    if not np.isfinite(lufs):
        raise SilentAudio("it is silent")
    return lufs


def amplified(sound: Sound, decibels: float) -> Sound:
    """Return a sound, which must be at RATE, louder by `decibels` and with no peak above PEAK.

    Where a frame's peak is too high, the gain falls and rises over the frames beside it, so that nobody hears it: each
    frame gets the least gain among itself and its neighbours, and between the frames' centres the gain is linear.
    """
    samples = sound.samples * np.float32(10 ** (decibels / 20))
    peaks = np.pad(np.abs(samples), (0, -len(samples) % FRAME)).reshape(-1, FRAME).max(axis=1)
    gain = np.pad(np.minimum(1, 10 ** (PEAK / 20) / np.maximum(peaks, 1e-9)), 1, mode="edge")
    least = np.minimum.reduce([gain[:-2], gain[1:-1], gain[2:]])
    centres = FRAME * (np.arange(len(least)) + 0.5)
    smooth = np.interp(np.arange(len(samples)), centres, least)
    return Sound((samples * smooth).astype(np.float32), sound.rate)
