"""Any program that writes a wave file: what a voice is, for what has no engine here."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from coursekit.authoring.narration.files import decode
from coursekit.authoring.narration.sound import Sound
from coursekit.authoring.narration.voices import Facts, VoiceMissing, VoiceTrouble, plain
from coursekit.engine.shared.errors import CourseError


class Command:
    """A program, called once a sentence, without a shell.

    Args:
        line: the program and its arguments. `{text}` is the sentence, `{wav}` the file to write; without `{text}` the
            sentence goes to the program's input.
        voice: what listeners are told of the voice.
        licence: of the voice.
        seconds: how long a sentence may take.

    Raises:
        VoiceMissing: the program is not there.
        CourseError: the line is none.
    """

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
        self._line, self._seconds = list(line), seconds
        self._facts = Facts(engine=Path(line[0]).name, version="", voice=voice, licence=licence)

    def facts(self) -> Facts:
        return self._facts

    def say(self, text: str) -> Sound:
        return spoken_by(self._line, plain(text), self._seconds)


def spoken_by(line: Sequence[str], text: str, seconds: float = 120) -> Sound:
    """What a program says: `{text}` and `{wav}` in its line are filled in.

    Raises:
        VoiceTrouble: it fails, takes too long, or writes no sound; says which, and what the program said.
    """
    with tempfile.TemporaryDirectory() as folder:
        wav = Path(folder) / "said.wav"
        filled = [word.replace("{wav}", str(wav)).replace("{text}", text) for word in line]
        asked = None if any("{text}" in word for word in line) else text
        process = subprocess.Popen(
            filled,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            _, said = process.communicate(asked, timeout=seconds)
        except subprocess.TimeoutExpired as error:
            raise VoiceTrouble(f"{line[0]} took more than {seconds:g} s for {text[:60]!r}") from error
        finally:
            if process.poll() is None:  # and what it started
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
        if process.returncode:
            raise VoiceTrouble(f"{line[0]} ended with {process.returncode}: {said.strip()[-200:]}")
        try:
            return decode(wav.read_bytes())
        except (OSError, CourseError) as error:
            raise VoiceTrouble(f"{line[0]} wrote no wave file for {text[:60]!r}") from error
