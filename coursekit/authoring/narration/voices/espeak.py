"""espeak-ng: a formant synthesiser for every system, clear, quick and robotic. It is GPL-3, so called as a program."""

import shutil
import subprocess

from coursekit.authoring.narration.voices import Facts, VoiceMissing
from coursekit.authoring.narration.voices.command import ProgramVoice


class Espeak(ProgramVoice):
    """espeak-ng with one of its voices.

    Args:
        voice: as `espeak-ng --voices` lists them.
        words: per minute.
    """

    def __init__(self, voice: str = "en-us", words: int = 150) -> None:
        if shutil.which("espeak-ng") is None:
            raise VoiceMissing("espeak-ng is not installed: apt-get install espeak-ng.")
        shown = subprocess.run(["espeak-ng", "--version"], capture_output=True, text=True).stdout
        version = shown.partition("text-to-speech: ")[2].split(" ")[0]
        super().__init__(
            ["espeak-ng", "-v", voice, "-s", str(words), "-w", "{wav}", "--stdin"],
            Facts("espeak-ng", version, f"{voice}, {words} words a minute", "GPL-3.0-or-later"),
        )
