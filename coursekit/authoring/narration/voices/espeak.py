"""espeak-ng: a formant synthesiser that every system has. Clear, quick, and a machine to hear. GPL-3, called."""

import shutil
import subprocess

from coursekit.authoring.narration.sound import Sound
from coursekit.authoring.narration.voices import Facts, VoiceMissing, plain
from coursekit.authoring.narration.voices.command import spoken_by


class Espeak:
    """espeak-ng with one of its voices.

    Args:
        voice: as `espeak-ng --voices` lists them.
        words: a minute.

    Raises:
        VoiceMissing: it is not installed.
    """

    def __init__(self, voice: str = "en-us", words: int = 150) -> None:
        if shutil.which("espeak-ng") is None:
            raise VoiceMissing("espeak-ng is not installed: apt-get install espeak-ng.")
        self._voice, self._words = voice, words

    def facts(self) -> Facts:
        said = subprocess.run(["espeak-ng", "--version"], capture_output=True, text=True).stdout
        version = said.partition("text-to-speech: ")[2].split(" ")[0]
        return Facts("espeak-ng", version, f"{self._voice}, {self._words} words a minute", "GPL-3.0-or-later")

    def say(self, text: str) -> Sound:
        line = ["espeak-ng", "-v", self._voice, "-s", str(self._words), "-w", "{wav}", "--stdin"]
        return spoken_by(line, plain(text))
