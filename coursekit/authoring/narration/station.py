"""Making what has to be made: scripts to audio, segment by segment, and the manifest with each."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.authoring.narration import recording
from coursekit.authoring.narration.files import (
    SYNTHETIC,
    Label,
    decode,
    encode_as_loud,
    replaceable,
    title,
    write_cues,
)
from coursekit.authoring.narration.lexicon import Lexicon, read_lexicon
from coursekit.authoring.narration.manifest import (
    Entry,
    digest,
    digest_of_text,
    read_manifest,
    write_manifest,
)
from coursekit.authoring.narration.script import read_script, sentences
from coursekit.authoring.narration.settings import Settings, read_settings
from coursekit.authoring.narration.sound import Sound, Span, join, measure
from coursekit.authoring.narration.transcription import Ear, NoEar
from coursekit.authoring.narration.voices import Facts, Voice, VoiceMissing, find_voice
from coursekit.course.config import Course, Week
from coursekit.engine.shared.errors import CourseError
from coursekit.files import write_together

FORM = 1  # of what is made of a voice's sentences: pauses, loudness, coding. A new one has all made again.


@dataclass
class Narrated:
    """What a run did, by segment."""

    made: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    audio_seconds: float = 0  # of what was made
    took_seconds: float = 0  # for the making


def narrate(
    course: Course,
    weeks: list[Week],
    *,
    engine: str = "",
    force: bool = False,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> Narrated:
    """Make the audio of these weeks, as far as it is not there; one segment's failure leaves the others alone.

    Args:
        engine: this one, and no other, instead of course.toml's.
        force: also make again what has not changed. An instructor's recordings are kept even then.
        tell: called with how many segments are done, and of how many.

    Raises:
        CourseError: the settings or the manifest cannot be used, there is no script, or no voice is installed and
            one is needed.
    """
    settings = read_settings(course)
    if engine:
        settings = Settings((engine,), settings.voices, settings.archive)
    root = course.root / "narration"
    work = _Workshop(settings, read_lexicon(root / "lexicon.toml"), root, force)
    scripts = [path for week in weeks for path in sorted((root / week.name).glob("*.md"))]
    if not scripts:
        names = ", ".join(f"narration/{week.name}/" for week in weeks)
        raise CourseError(f"There is no script in {names}. A section's is NN_slug.md; see docs/authoring.md.")
    read_manifest(root)  # a broken one stops everything before any work is done
    for number, script in enumerate(scripts, 1):
        name = f"{script.parent.name}/{script.stem}"
        try:
            work.do(name, script)
        except VoiceMissing:
            raise
        except CourseError as error:
            work.report.failed[name] = str(error)
        except OSError as error:
            work.report.failed[name] = f"{error.filename or script} cannot be written: {error.strerror}"
        tell(number, len(scripts))
    _forget(root, weeks, {f"{path.parent.name}/{path.stem}" for path in scripts})
    return work.report


class _Workshop:
    def __init__(self, settings: Settings, lexicon: Lexicon, root: Path, force: bool) -> None:
        self.settings, self.lexicon, self.root, self.force = settings, lexicon, root, force
        self.report = Narrated()
        self._voice: tuple[str, Voice] | None = None

    def do(self, name: str, script: Path) -> None:
        """One segment, if anything about it has changed.

        Raises:
            VoiceMissing: a voice is needed, and there is none.
            CourseError: this segment cannot be made.
            OSError: it cannot be written.
        """
        text = read_script(script)
        entry = read_manifest(self.root).get(name)
        whole = entry if entry is not None and _intact(entry, script) else None
        taken = recording.find_recording(script)
        if taken is not None:
            self._take(name, script, text, taken, whole)
        elif whole and not whole.synthetic:
            if whole.text_sha256 != digest_of_text(text):
                self.report.notes.append(
                    f"{name} is a recording of an earlier text, and is kept. Record it again, or remove the .mp3."
                )
            self.report.kept.append(name)
        elif whole and not self.force and self._current(whole, text):
            self.report.kept.append(name)
        elif not replaceable(script.with_suffix(".mp3")):
            raise CourseError(
                f"{script.stem}.mp3 was not made by `course narrate`, so it is not overwritten: name it "
                f"{script.stem}.recording.mp3 to have it used, or remove it."
            )
        else:
            self._speak(name, script, text)

    def _current(self, entry: Entry, text: str) -> bool:
        """Is it what the course's voice would say? Another of its list is good enough where the first is missing."""
        if entry.text_sha256 != digest_of_text(text):
            return False
        by = {self._made_of(engine, text): engine for engine in self.settings.engines}
        if entry.made_sha256 not in by:
            return False
        engine = by[entry.made_sha256]
        return engine == self.settings.engines[0] or engine == self.voice()[0]

    def _made_of(self, engine: str, text: str) -> str:
        said = [(self.lexicon.say(sentence.text), sentence.last) for sentence in sentences(text)]
        return digest(json.dumps([FORM, engine, self.settings.of(engine), said], sort_keys=True).encode())

    def voice(self) -> tuple[str, Voice]:
        """The first engine of the list that can speak here, and its name.

        Raises:
            VoiceMissing: none can; says what to install for each.
        """
        if self._voice is None:
            reasons = []
            for engine in self.settings.engines:
                try:
                    self._voice = engine, find_voice(engine, self.settings.of(engine))
                    break
                except VoiceMissing as error:
                    reasons.append(str(error))
            else:
                raise VoiceMissing("No voice can speak on this machine. " + " Or: ".join(reasons))
            if reasons:
                self.report.notes.append(f"The voice is {engine}, because: {' '.join(reasons)}")
        return self._voice

    def _speak(self, name: str, script: Path, text: str) -> None:
        engine, voice = self.voice()
        started = time.monotonic()
        parts = []
        for sentence in sentences(text):
            parts.append((sentence, voice.say(self.lexicon.say(sentence.text))))
        sound, spans = join(parts)
        self._write(name, script, text, sound, spans, voice.facts(), self._made_of(engine, text))
        self.report.took_seconds += time.monotonic() - started

    def _take(self, name: str, script: Path, text: str, taken: Path, entry: Entry | None) -> None:
        """An instructor's recording becomes the segment; the recording itself is only read."""
        data = taken.read_bytes()
        about = self.settings.of("recording")
        made_of = digest(
            json.dumps([FORM, about, digest(data), digest_of_text(text)], sort_keys=True).encode()
        )
        if entry is not None and entry.made_sha256 == made_of:
            self.report.kept.append(name)
            return
        sound = recording.read_recording(data, taken.name)
        try:
            heard = Ear().listen(sound)
            recording.compare(text, heard, taken.name)
        except NoEar:
            heard = None
            self.report.notes.append(
                f"{taken.name} was not compared with its script, and its cues are reckoned from the lengths of the "
                "sentences: no recogniser is installed (pip install 'coursekit[listen]')."
            )
        facts = Facts("recording", "", about.get("voice", ""), about.get("licence", "CC BY 4.0"))
        spans = recording.spans(sentences(text), sound, heard)
        self._write(name, script, text, sound, spans, facts, made_of, synthetic=False)

    def _write(
        self,
        name: str,
        script: Path,
        text: str,
        sound: Sound,
        spans: list[Span],
        facts: Facts,
        made_of: str,
        *,
        synthetic: bool = True,
    ) -> None:
        who = ", ".join(filter(None, (facts.engine, facts.voice)))
        if synthetic:
            note = f"{SYNTHETIC}: {who} ({facts.licence})"
        else:
            note = f"Recorded by {facts.voice or 'the instructor'} ({facts.licence})"
        audio = encode_as_loud(sound, Label(title(script), who if synthetic else facts.voice, note))
        cues = write_cues(spans, note)
        heard = decode(audio)
        entry = Entry(
            seconds=round(heard.seconds, 3),
            bytes=len(audio),
            loudness=round(measure(heard), 2),
            synthetic=synthetic,
            engine=facts.engine,
            version=facts.version,
            voice=facts.voice,
            licence=facts.licence,
            text_sha256=digest_of_text(text),
            made_sha256=made_of,
            audio_sha256=digest(audio),
            cues_sha256=digest(cues),
        )
        write_together({script.with_suffix(".mp3"): audio, script.with_suffix(".vtt"): cues})
        write_manifest(self.root, read_manifest(self.root) | {name: entry})
        self.report.made.append(name)
        self.report.audio_seconds += heard.seconds


def _intact(entry: Entry, script: Path) -> bool:
    """Are the files the ones that the manifest tells of?"""
    wanted = {".mp3": entry.audio_sha256, ".vtt": entry.cues_sha256}
    try:
        return all(digest(script.with_suffix(kind).read_bytes()) == sha for kind, sha in wanted.items())
    except OSError:
        return False


def _forget(root: Path, weeks: list[Week], names: set[str]) -> None:
    """Entries of scripts that are gone; their files stay, and `course check` names them."""
    entries = read_manifest(root)
    own = tuple(f"{week.name}/" for week in weeks)
    left = {name: entry for name, entry in entries.items() if name in names or not name.startswith(own)}
    if left != entries:
        write_manifest(root, left)
