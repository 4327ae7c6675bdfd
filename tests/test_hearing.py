"""An offline recogniser understands the audio, sets the cues of a recording, and refuses one of another script."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from own_environment import extra, make_environment
from spoken_course import WEEK, make_spoken_course

from coursekit.authoring.narration.files import decode, read_cues

ROOT = Path(__file__).parent.parent
SEGMENT = ROOT / "narration" / "week2_multi_head" / "08_caption.md"
LISTEN = """
import json, sys
from pathlib import Path
from coursekit.course.config import open_course
from coursekit.authoring.narration.files import decode
from coursekit.authoring.narration.transcription import Ear
from coursekit.authoring.narration.station import narrate
segment, root = map(Path, sys.argv[1:])
text = segment.read_text()
heard = Ear().listen(decode(segment.with_suffix(".mp3").read_bytes()))
course = open_course(root)
report = narrate(course, list(course.weeks))
print(json.dumps([heard.error_rate(text), heard.differences(text), report.made, report.failed, report.notes]))
"""


@pytest.mark.slow
def test_what_a_recogniser_hears(tmp_path):
    python = make_environment(tmp_path / "venv", *extra("listen"))
    course = make_spoken_course(tmp_path / "course")
    folder = course.root / "narration" / WEEK
    shutil.copy(SEGMENT, folder / "01_first.md")
    for name in ("01_first", "02_second"):  # the second one's script says something else
        shutil.copy(SEGMENT.with_suffix(".mp3"), folder / f"{name}.recording.mp3")
    done = subprocess.run([python, "-c", LISTEN, SEGMENT, course.root], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    error_rate, differences, made, failed, notes = json.loads(done.stdout.splitlines()[-1])
    assert error_rate <= 0.03, differences
    assert (made, notes) == ([f"{WEEK}/01_first"], [])
    assert "02_second.recording.mp3 is not this script, as far as can be heard" in failed[f"{WEEK}/02_second"]
    # The recording lost the silence at its ends; all cues stand where they stood, but for that.
    was, found = (
        [span.begin for span in read_cues(path.with_suffix(".vtt").read_bytes())]
        for path in (SEGMENT, folder / "01_first")
    )
    lost = 0.15
    assert len(was) == len(found)
    assert [abs(one - other - lost) < 0.6 for one, other in zip(was, found, strict=True)] == [True] * len(was)
    assert (
        decode((folder / "01_first.mp3").read_bytes()).seconds
        < decode(SEGMENT.with_suffix(".mp3").read_bytes()).seconds
    )
