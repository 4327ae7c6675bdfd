"""A voice that is any program that writes a wave file, where no other engine will do."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from coursekit.authoring.narration.files import decode
from coursekit.authoring.narration.sound import Sound
from coursekit.authoring.narration.voices import Facts, VoiceMissing, VoiceTrouble, without_phonemes
from coursekit.engine.shared.errors import CourseError


class ProgramVoice:
    """A voice that is a program, called once for each sentence, without a shell.

    Args:
        line: the program and its arguments. `{wav}` is the file to write, `{text}` the sentence; without `{text}` the
            program reads the sentence from its input.
        seconds: how long a sentence may take.
    """

    def __init__(self, line: Sequence[str], facts: Facts, seconds: float = 120) -> None:
        self._line, self._facts, self._seconds = list(line), facts, seconds

    def facts(self) -> Facts:
        return self._facts

    def say(self, text: str) -> Sound:
        text, name = without_phonemes(text), self._line[0]
        with tempfile.TemporaryDirectory() as folder:
            wav = Path(folder) / "sentence.wav"
            process = subprocess.Popen(
                [word.replace("{wav}", str(wav)).replace("{text}", text) for word in self._line],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            try:
                takes_input = not any("{text}" in word for word in self._line)
                _, stderr = process.communicate(text if takes_input else None, timeout=self._seconds)
            except subprocess.TimeoutExpired as error:
                raise VoiceTrouble(f"{name} took more than {self._seconds:g} s for {text[:60]!r}") from error
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)  # and the processes that it has started
                    process.communicate()
            if process.returncode:
                raise VoiceTrouble(f"{name} ended with {process.returncode}: {stderr.strip()[-200:]}")
            try:
                return decode(wav.read_bytes())
            except (OSError, CourseError) as error:
                raise VoiceTrouble(f"{name} wrote no wave file for {text[:60]!r}") from error


class Command(ProgramVoice):
    """The program that course.toml names, with the voice and licence that listeners read."""

    def __init__(
        self, line: Sequence[str] = (), voice: str = "", licence: str = "", seconds: float = 120
    ) -> None:
        if isinstance(line, str) or not line or not any("{wav}" in word for word in line):
            raise CourseError(
                "course.toml, [narration.command]: `line` must be a list of words with {wav} among them, as in "
                '["espeak-ng", "-w", "{wav}", "{text}"].'
            )
        if shutil.which(line[0]) is None:
            raise VoiceMissing(f"The program {line[0]} is not installed.")
        super().__init__(line, Facts(Path(line[0]).name, "", voice, licence), seconds)
