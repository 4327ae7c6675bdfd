"""An offline recogniser understands the audio, sets the cues of a recording, and refuses one of another script."""

import json
import shutil
import subprocess

import pytest
from own_environment import extra, make_environment
from small_course import ROOT
from spoken_course import WEEK, make_spoken_course

from coursekit.authoring.narration.files import decode, read_cues

SEGMENT = ROOT / "narration" / "week2_multi_head" / "08_caption.md"
TRIMMED = 0.15  # seconds of silence that a recording loses at its beginning
PROGRAM = """
import json, sys
from pathlib import Path
from coursekit.course.config import open_course
from coursekit.authoring.narration.files import decode
from coursekit.authoring.narration.narrate import narrate
from coursekit.authoring.narration.transcription import Transcriber
segment, root = map(Path, sys.argv[1:])
text = segment.read_text()
found = Transcriber().transcribe(decode(segment.with_suffix(".mp3").read_bytes()))
course = open_course(root)
report = narrate(course, list(course.weeks))
print(json.dumps([found.error_rate(text), found.differences(text), report.made, report.failed, report.notes]))
"""


@pytest.mark.slow
def test_recordings_are_transcribed(tmp_path):
    python = make_environment(tmp_path / "venv", *extra("listen"))
    course = make_spoken_course(tmp_path / "course")
    folder = course.root / "narration" / WEEK
    shutil.copy(SEGMENT, folder / "01_first.md")
    for name in ("01_first", "02_second"):  # the second one's script says something else
        shutil.copy(SEGMENT.with_suffix(".mp3"), folder / f"{name}.recording.mp3")
    done = subprocess.run([python, "-c", PROGRAM, SEGMENT, course.root], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    error_rate, differences, made, failed, notes = json.loads(done.stdout.splitlines()[-1])
    assert error_rate <= 0.03, differences
    assert (made, notes) == ([f"{WEEK}/01_first"], [])
    assert "02_second.recording.mp3 is not this script, as far as can be heard" in failed[f"{WEEK}/02_second"]
    was, found = (
        [cue.begin for cue in read_cues(path.with_suffix(".vtt").read_bytes())]
        for path in (SEGMENT, folder / "01_first")
    )
    assert found == pytest.approx([max(0, begin - TRIMMED) for begin in was], abs=0.6)
    seconds = [
        decode(path.read_bytes()).seconds for path in (folder / "01_first.mp3", SEGMENT.with_suffix(".mp3"))
    ]
    assert seconds[0] < seconds[1]
