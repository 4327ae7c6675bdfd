"""The scripts' audio, proved without a voice: text, sound, cues and manifest belong together."""

from itertools import pairwise
from pathlib import Path

from coursekit.authoring.narration.archive import is_current
from coursekit.authoring.narration.files import decode, form, read_cues
from coursekit.authoring.narration.manifest import NAME, Entry, digest, digest_of_text, read_manifest
from coursekit.authoring.narration.script import read_script, sentences
from coursekit.authoring.narration.settings import read_settings
from coursekit.authoring.narration.sound import LUFS, RATE, measure
from coursekit.course.config import Course, Week
from coursekit.engine.shared.errors import CourseError

APART = 0.05  # seconds between two ways to say the same moment
OFF = 1.0  # LUFS by which a file may be louder or softer than all others


def check_audio(course: Course, week: Week) -> list[str]:
    """Problems of the week's audio; none where course.toml has no [narration], or the week has no audio at all.

    What is of no single week, the archive on the mirrors, is told with the first.
    """
    if not course.narration:
        return []
    root = course.root / "narration"
    try:
        entries = read_manifest(root)
        archive = read_settings(course).archive
    except CourseError as error:
        return [str(error)]
    problems = []
    if archive.mirrors and week == course.weeks[0] and not is_current(archive, root, entries):
        problems.append(
            "the archive that course.toml names for the mirrors has other audio than narration/: run "
            "`course narrate --pack FILE`, put the file on the mirrors, and its sha256 into course.toml"
        )
    scripts = sorted((root / week.name).glob("*.md"))
    audible = any(name.startswith(f"{week.name}/") for name in entries)
    if not audible and not any((root / week.name).glob("*.mp3")):
        return problems  # all of a week or nothing of it: half a week would be a surprise
    for script in scripts:
        name = f"{week.name}/{script.stem}"
        if name not in entries:
            problems.append(f"narration/{name}.md has no audio in {NAME}: run `course narrate {week.name}`")
            continue
        problems += [f"narration/{name}{problem}" for problem in _check_segment(script, entries[name])]
    known = {f"{week.name}/{script.stem}" for script in scripts}
    problems += [
        f"narration/{NAME} has {name}, which has no script"
        for name in sorted(entries)
        if name.startswith(f"{week.name}/") and name not in known
    ]
    problems += [
        f"narration/{week.name}/{path.name} belongs to no script"
        for path in sorted((root / week.name).glob("*"))
        if path.suffix in (".mp3", ".vtt")
        and ".recording." not in path.name
        and path.stem not in {script.stem for script in scripts}
    ]
    return problems


def _check_segment(script: Path, entry: Entry) -> list[str]:
    try:
        text = read_script(script)
    except CourseError as error:
        return [f".md: {error}"]
    problems = []
    if entry.text_sha256 != digest_of_text(text):
        what = "was recorded" if not entry.synthetic else "was made"
        problems.append(f".mp3 {what} from a different text: {script.name} has changed since")
    for kind, wanted, check in (
        (".mp3", entry.audio_sha256, lambda data: _check_sound(data, entry)),
        (".vtt", entry.cues_sha256, lambda data: _check_cues(data, entry, text)),
    ):
        try:
            data = script.with_suffix(kind).read_bytes()
        except OSError:
            problems.append(f"{kind} is missing")
            continue
        if digest(data) != wanted:
            problems.append(f"{kind} is not the file that {NAME} describes: its hash differs")
        try:
            problems += [f"{kind} {problem}" for problem in check(data)]
        except CourseError as error:
            problems.append(f"{kind} {error}")
    return problems


def _check_sound(data: bytes, entry: Entry) -> list[str]:
    """The mp3 as it is heard, every frame decoded."""
    problems = []
    kind, channels, rate = form(data)
    if (kind, channels, rate) != ("MP3", 1, RATE):
        problems.append(f"is {kind} with {channels} channels at {rate} Hz, not mp3 with one at {RATE} Hz")
    sound = decode(data)
    if abs(sound.seconds - entry.seconds) > APART:
        problems.append(f"lasts {sound.seconds:.2f} s, and {NAME} says {entry.seconds:.2f} s")
    loud = measure(sound)
    if abs(loud - LUFS) > OFF:
        problems.append(f"has {loud:.1f} LUFS, the others {LUFS:.0f}")
    return problems


def _check_cues(data: bytes, entry: Entry, text: str) -> list[str]:
    spans = read_cues(data)
    problems = []
    if [span.text for span in spans] != [sentence.text for sentence in sentences(text)]:
        problems.append("has different sentences from the script")
    if not spans:
        return problems
    if any(span.end <= span.begin for span in spans):
        problems.append("has a cue that ends before it begins")
    if any(abs(one.end - other.begin) > APART for one, other in pairwise(spans)):
        problems.append("has cues that are out of order, or a gap between them")
    if spans[0].begin > APART or abs(spans[-1].end - entry.seconds) > 0.5:
        problems.append(
            f"goes from {spans[0].begin:.2f} to {spans[-1].end:.2f} s, the audio from 0 to {entry.seconds:.2f} s"
        )
    return problems
