"""Narration: each section begins with a listening cell, and each script can be spoken and has its audio.

The cell holds the section's heading and the script's text, as `common_cells` writes them. The script
`narration/<week>/NN_slug.md` is plain paragraphs, written to be heard. Text, sound, cues and manifest are compared
without a voice.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from coursekit.authoring.lesson.common_cells import length_of
from coursekit.authoring.narration.archive import is_current
from coursekit.authoring.narration.files import audio_format, decode, read_cues
from coursekit.authoring.narration.lexicon import Lexicon, read_lexicon
from coursekit.authoring.narration.manifest import NAME, Entry, digest, digest_of_text, read_manifest
from coursekit.authoring.narration.script import read_script, sentences
from coursekit.authoring.narration.settings import read_settings
from coursekit.authoring.narration.sound import LUFS, RATE, measure
from coursekit.authoring.narration.voices import without_phonemes
from coursekit.course.config import Course, Week
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Master

MAX_GAP = 0.05  # seconds by which cues, manifest and sound may differ on the same moment
MAX_END_GAP = 0.5  # the same, for the end of the last cue
MAX_DEVIATION = 1.0  # loudness units by which a file may differ from LUFS
# The characters of a script after the lexicon has put words in place of its symbols.
_SPOKEN = re.compile(r"""[A-Za-z0-9 .,;:?!'"()\n-]*""")


def check_narration(course: Course, week: Week, master: Master) -> Iterator[str]:
    """Yield the problems of listening cells and scripts, and of each section or script without a listening cell."""
    used = []
    folder = course.root / "narration" / week.name
    lexicon = read_lexicon(folder.parent / "lexicon.toml")
    for cell in master.cells:
        has_heading = cell.kind == "markdown" and cell.source.startswith("## ")
        name = master.notebook.cells[cell.index].metadata.get("course", {}).get("narration", "")
        if not name:
            if has_heading:
                yield f"section cell {cell.cell_id} is not a listening cell: it has no course.narration"
            continue
        used.append(name)
        if not has_heading:
            yield f"listening cell {cell.cell_id} does not begin with a `## ` heading"
            continue
        expected_id = f"listen-{name.replace('_', '-')}"
        if cell.cell_id != expected_id or not name.startswith(f"{len(used):02}_"):
            yield (
                f"listening cell {cell.cell_id} with the script {name}: the script should be {len(used):02}_…, "
                f"the cell {expected_id}"
            )
        try:
            text = read_script(folder / f"{name}.md")
        except CourseError as error:
            yield str(error)
            continue
        for problem in _check_script(text, lexicon):
            yield f"narration/{week.name}/{name}.md {problem}"
    for path in sorted(folder.glob("*.md")):
        if path.stem not in used:
            yield f"narration/{week.name}/{path.name} belongs to no listening cell"


def _check_script(text: str, lexicon: Lexicon) -> Iterator[str]:
    if not length_of(text):
        yield (f"has {len(text.split())} words: 60 to 240 take the 30 to 90 seconds that a section may have")
    if unspeakable := sorted(set(_SPOKEN.sub("", without_phonemes(lexicon.say(text))))):
        yield (
            f"holds {' '.join(unspeakable)}, which cannot be spoken: write it as words, or put it into the lexicon"
        )
    if re.search(r"^\s*(#|[-*] |\d+\. )", text, re.MULTILINE):
        yield "has a heading or a list: write paragraphs"


def check_audio(course: Course, week: Week) -> Iterator[str]:
    """Yield where text, audio and cues disagree, if course.toml has [narration] and the week has any audio.

    The archive on the mirrors, which belongs to no single week, is checked with the first week, audio or not.
    """
    if not course.narration:
        return
    root = course.root / "narration"
    try:
        entries = read_manifest(root)
        archive = read_settings(course).archive
    except CourseError as error:
        yield str(error)
        return
    if archive.mirrors and week == course.weeks[0] and not is_current(archive, root, entries):
        yield (
            "the archive that course.toml names for the mirrors has other audio than narration/: run "
            "`course narrate --pack FILE`, put the file on the mirrors, and its sha256 into course.toml"
        )
    folder = root / week.name
    scripts = {f"{week.name}/{path.stem}": path for path in sorted(folder.glob("*.md"))}
    of_week = {name: entry for name, entry in entries.items() if name.startswith(f"{week.name}/")}
    if not of_week and not any(folder.glob("*.mp3")):
        return  # a week without audio is in order, one with half of its audio is not
    for name, script in scripts.items():
        if name in of_week:
            for problem in _check_segment(script, of_week[name]):
                yield f"narration/{name}{problem}"
        else:
            yield f"narration/{name}.md has no audio in {NAME}: run `course narrate {week.name}`"
    for name in sorted(of_week.keys() - scripts.keys()):
        yield f"narration/{NAME} has {name}, which has no script"
    for path in sorted([*folder.glob("*.mp3"), *folder.glob("*.vtt")]):
        if ".recording." not in path.name and path.with_suffix(".md") not in scripts.values():
            yield f"narration/{week.name}/{path.name} belongs to no script"


def _check_segment(script: Path, entry: Entry) -> Iterator[str]:
    try:
        text = read_script(script)
    except CourseError as error:
        yield f".md: {error}"
        return
    if entry.text_sha256 != digest_of_text(text):
        origin = "was made" if entry.synthetic else "was recorded"
        yield f".mp3 {origin} from a different text: {script.name} has changed since"
    for kind, sha256 in entry.hashes.items():
        try:
            data = script.with_suffix(kind).read_bytes()
        except OSError:
            yield f"{kind} is missing"
            continue
        if digest(data) != sha256:
            yield f"{kind} is not the file that {NAME} describes: its hash differs"
        try:
            for problem in _check_sound(data, entry) if kind == ".mp3" else _check_cues(data, entry, text):
                yield f"{kind} {problem}"
        except CourseError as error:
            yield f"{kind} {error}"


def _check_sound(data: bytes, entry: Entry) -> Iterator[str]:
    """Yield the problems of the decoded mp3, each as the end of a sentence."""
    sound = decode(data)
    kind, channels, rate = audio_format(data)
    if (kind, channels, rate) != ("MP3", 1, RATE):
        yield f"is {kind} with {channels} channels at {rate} Hz, not mp3 with one at {RATE} Hz"
    if abs(sound.seconds - entry.seconds) > MAX_GAP:
        yield f"lasts {sound.seconds:.2f} s, and {NAME} says {entry.seconds:.2f} s"
    lufs = measure(sound)
    if abs(lufs - LUFS) > MAX_DEVIATION:
        yield f"has {lufs:.1f} LUFS, the others {LUFS:.0f}"


def _check_cues(data: bytes, entry: Entry, text: str) -> Iterator[str]:
    cues = read_cues(data)
    if [cue.text for cue in cues] != [sentence.text for sentence in sentences(text)]:
        yield "has different sentences from the script"
    if any(cue.end <= cue.begin for cue in cues):
        yield "has a cue that ends before it begins"
    if any(abs(cue.end - following.begin) > MAX_GAP for cue, following in pairwise(cues)):
        yield "has cues that are out of order, or a gap between them"
    if cues and (cues[0].begin > MAX_GAP or abs(cues[-1].end - entry.seconds) > MAX_END_GAP):
        yield (
            f"goes from {cues[0].begin:.2f} to {cues[-1].end:.2f} s, the audio from 0 to {entry.seconds:.2f} s"
        )
