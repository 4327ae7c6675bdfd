"""Scripts to audio, segment by segment: each that is missing or out of date is made, and the manifest updated."""

import json
import logging
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from coursekit.authoring.narration import manifest, recording
from coursekit.authoring.narration.files import (
    SYNTHETIC,
    decode,
    encode,
    replaceable,
    reword_cues,
    write_cues,
)
from coursekit.authoring.narration.lexicon import Lexicon, read_lexicon
from coursekit.authoring.narration.manifest import Entry, digest, digest_of_text, read_manifest
from coursekit.authoring.narration.script import read_script, sentences
from coursekit.authoring.narration.settings import Settings, read_settings
from coursekit.authoring.narration.sound import Cue, Sound, join, measure
from coursekit.authoring.narration.transcription import Transcriber, TranscriberUnavailable
from coursekit.authoring.narration.voices import Facts, Voice, VoiceMissing, find_voice
from coursekit.course.config import Course, Week
from coursekit.engine.shared.errors import CourseError
from coursekit.files import write_together
from coursekit.progress import Progress, no_progress

logger = logging.getLogger(__name__)
# The version of the steps from a voice's sentences to a file: pauses, loudness, encoding. With a new number, all audio
# is made again whose script or recording is there.
AUDIO_VERSION = 1


@dataclass
class NarrationReport:
    """The segments that a run made, kept or failed to make."""

    made: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)  # {segment: why}
    notes: list[str] = field(default_factory=list)
    audio_seconds: float = 0  # of the segments made
    took_seconds: float = 0  # to make the synthetic ones


def narrate(
    course: Course,
    weeks: list[Week],
    *,
    engine: str = "",
    force: bool = False,
    progress: Progress = no_progress,
) -> NarrationReport:
    """Make the audio of these weeks that is missing or out of date, and report. A failed segment does not stop others.

    Args:
        engine: use only this voice engine, instead of those in course.toml.
        force: also make unchanged segments again. An instructor's recordings are kept even then.
        progress: called with (segments done, all segments).

    Raises:
        CourseError: settings, lexicon or manifest cannot be used, there is no script, or a voice is needed and none
            is installed.
    """
    settings = read_settings(course)
    if engine:
        settings = replace(settings, engines=(engine,))
    root = course.root / "narration"
    narrator = _Narrator(settings, read_lexicon(root / "lexicon.toml"), root, force)
    scripts = [path for week in weeks for path in sorted((root / week.name).glob("*.md"))]
    if not scripts:
        folders = ", ".join(f"narration/{week.name}/" for week in weeks)
        raise CourseError(
            f"There is no script in {folders}. A section's is NN_slug.md; see docs/authoring.md."
        )
    read_manifest(root)  # a broken one stops everything before any work is done
    names = [f"{script.parent.name}/{script.stem}" for script in scripts]
    for number, (name, script) in enumerate(zip(names, scripts, strict=True), 1):
        try:
            narrator.narrate(name, script)
        except VoiceMissing:
            raise
        except CourseError as error:
            narrator.report.failed[name] = str(error)
        except OSError as error:
            narrator.report.failed[name] = f"{error.filename or script} cannot be written: {error.strerror}"
        progress(number, len(scripts))
    # An entry whose script is gone is removed; its files stay, and `course check` names them.
    entries = read_manifest(root)
    prefixes = tuple(f"{week.name}/" for week in weeks)
    kept = {name: entry for name, entry in entries.items() if name in names or not name.startswith(prefixes)}
    if kept != entries:
        manifest.write_manifest(root, kept)
    return narrator.report


@dataclass(frozen=True)
class _Segment:
    name: str
    script: Path
    text: str


class _Narrator:
    """Makes segments one after another; finds a voice when the first one needs it."""

    def __init__(self, settings: Settings, lexicon: Lexicon, root: Path, force: bool) -> None:
        self.settings, self.lexicon, self.root, self.force = settings, lexicon, root, force
        self.report = NarrationReport()
        self._voice: tuple[str, Voice] | None = None

    def narrate(self, name: str, script: Path) -> None:
        """Make one segment if it is missing or out of date, or with `force`; a person's recording is kept."""
        segment = _Segment(name, script, read_script(script))
        entry = read_manifest(self.root).get(name)
        valid_entry = entry if entry is not None and _is_intact(entry, script) else None
        recorded = recording.find_recording(script)
        if recorded is not None:
            self._use_recording(segment, recorded, valid_entry)
        elif valid_entry and not valid_entry.synthetic:
            if valid_entry.text_sha256 != digest_of_text(segment.text):
                self.report.notes.append(
                    f"{name} is a recording of an earlier text, and is kept. Record it again, or remove the .mp3."
                )
            self.report.kept.append(name)
        elif valid_entry and not self.force and self._is_current(valid_entry, segment.text):
            if valid_entry.text_sha256 != digest_of_text(segment.text):
                self._reword(segment, valid_entry)
            self.report.kept.append(name)
        elif not replaceable(script.with_suffix(".mp3")):
            raise CourseError(
                f"{script.stem}.mp3 was not made by `course narrate`, so it is not overwritten: name it "
                f"{script.stem}.recording.mp3 to have it used, or remove it."
            )
        else:
            self._speak(segment)

    def _is_current(self, entry: Entry, text: str) -> bool:
        """Return whether the first engine would say the same, or a later one while those before it cannot speak."""
        for engine in self.settings.engines:
            if entry.made_sha256 == self._digest_of_input(engine, text):
                return engine == self.settings.engines[0] or engine == self._find_voice()[0]
        return False

    def _digest_of_input(self, engine: str, text: str) -> str:
        spoken = [(self.lexicon.say(sentence.text), sentence.ends_paragraph) for sentence in sentences(text)]
        return _digest_of(engine, self.settings.of(engine), spoken)

    def _find_voice(self) -> tuple[str, Voice]:
        """Return the first engine of the list that can speak here: its name, and its voice."""
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

    def _speak(self, segment: _Segment) -> None:
        engine, voice = self._find_voice()
        started = time.monotonic()
        sound, cues = join(
            [(sentence, voice.say(self.lexicon.say(sentence.text))) for sentence in sentences(segment.text)]
        )
        input_digest = self._digest_of_input(engine, segment.text)
        self._write(segment, sound, cues, voice.facts(), input_digest, synthetic=True)
        self.report.took_seconds += time.monotonic() - started

    def _reword(self, segment: _Segment, entry: Entry) -> None:
        """Give cues and manifest the words of a script that is written otherwise, and spoken as before."""
        path = segment.script.with_suffix(".vtt")
        captions = reword_cues(path.read_bytes(), [sentence.text for sentence in sentences(segment.text)])
        new = replace(entry, text_sha256=digest_of_text(segment.text), cues_sha256=digest(captions))
        write_together({path: captions})
        manifest.write_manifest(self.root, read_manifest(self.root) | {segment.name: new})

    def _use_recording(self, segment: _Segment, path: Path, entry: Entry | None) -> None:
        """Make the segment from an instructor's recording, which is only read, unless it is up to date."""
        data = path.read_bytes()
        settings = self.settings.of("recording")
        input_digest = _digest_of(settings, digest(data), digest_of_text(segment.text))
        if entry is not None and entry.made_sha256 == input_digest:
            self.report.kept.append(segment.name)
            return
        sound = recording.read_recording(data, path.name)
        try:
            transcription = Transcriber().transcribe(sound)
            recording.compare(segment.text, transcription, path.name)
        except TranscriberUnavailable:
            transcription = None
            self.report.notes.append(
                f"{path.name} was not compared with its script, and its cues are estimated from the lengths of the "
                "sentences: no recogniser is installed (pip install 'coursekit[listen]')."
            )
        facts = Facts("recording", "", settings.get("voice", ""), settings.get("licence", "CC BY 4.0"))
        cues = recording.cues(sentences(segment.text), sound, transcription)
        self._write(segment, sound, cues, facts, input_digest, synthetic=False)

    def _write(
        self,
        segment: _Segment,
        sound: Sound,
        cues: list[Cue],
        facts: Facts,
        input_digest: str,
        *,
        synthetic: bool,
    ) -> None:
        """Write the segment's mp3 and cues, then its entry in the manifest, and add it to the report."""
        if synthetic:
            artist = ", ".join(filter(None, (facts.engine, facts.voice)))
            note = f"{SYNTHETIC}: {artist} ({facts.licence})"
        else:
            artist = facts.voice
            note = f"Recorded by {artist or 'the instructor'} ({facts.licence})"
        title = f"{segment.script.parent.name}, {segment.script.stem}".replace("_", " ")
        audio = encode(sound, {"title": title, "artist": artist, "comment": note})
        captions = write_cues(cues, note)
        decoded = decode(audio)
        entry = Entry(
            seconds=round(decoded.seconds, 3),
            bytes=len(audio),
            loudness=round(measure(decoded), 2),
            synthetic=synthetic,
            **vars(facts),
            text_sha256=digest_of_text(segment.text),
            made_sha256=input_digest,
            audio_sha256=digest(audio),
            cues_sha256=digest(captions),
        )
        script = segment.script
        write_together({script.with_suffix(".mp3"): audio, script.with_suffix(".vtt"): captions})
        manifest.write_manifest(self.root, read_manifest(self.root) | {segment.name: entry})
        logger.info("%s: %.1f s of audio by %s", segment.name, decoded.seconds, facts.engine)
        self.report.made.append(segment.name)
        self.report.audio_seconds += decoded.seconds


def _digest_of(*parts: object) -> str:
    return digest(json.dumps([AUDIO_VERSION, *parts], sort_keys=True).encode())


def _is_intact(entry: Entry, script: Path) -> bool:
    """Return whether the files are those that the manifest describes."""
    try:
        return all(digest(script.with_suffix(kind).read_bytes()) == sha for kind, sha in entry.hashes.items())
    except OSError:
        return False
