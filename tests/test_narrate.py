"""`course narrate`: what is made, what is made again, what is never replaced, and what goes wrong in a sentence."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile
from spoken_course import SCRIPTS, WEEK, configure, make_spoken_course

from coursekit.authoring.lesson.audio import check_audio
from coursekit.authoring.narration import recording, station
from coursekit.authoring.narration.files import decode, form, read_cues
from coursekit.authoring.narration.lexicon import read_lexicon
from coursekit.authoring.narration.manifest import read_manifest
from coursekit.authoring.narration.script import sentences
from coursekit.authoring.narration.sound import (
    PEAK,
    RATE,
    Sound,
    TooQuiet,
    as_loud_as,
    join,
    limit,
    measure,
    trim,
)
from coursekit.authoring.narration.station import narrate
from coursekit.authoring.narration.transcription import Heard, NoEar, Word
from coursekit.authoring.narration.voices import VoiceMissing, VoiceTrouble, find_voice
from coursekit.authoring.narration.voices.command import Command, spoken_by
from coursekit.course.config import open_course
from coursekit.engine.shared.errors import CourseError

ROOT = Path(__file__).parent.parent
FIRST, SECOND = (f"{WEEK}/{name}" for name in SCRIPTS)


@pytest.fixture(scope="module")
def spoken(tmp_path_factory):
    """A course whose audio is made; tests work on copies of it."""
    root = tmp_path_factory.mktemp("spoken")
    course = make_spoken_course(root)
    report = narrate(course, list(course.weeks))
    assert report.made == [FIRST, SECOND] and not report.failed
    return course


@pytest.fixture
def course(spoken, tmp_path):
    """Its own copy; the program that speaks is the copy's, so changing it changes nothing but that."""
    shutil.copytree(spoken.root, tmp_path, dirs_exist_ok=True)
    return open_course(tmp_path)


@pytest.fixture
def no_ear(monkeypatch):
    def deaf(*_, **__):
        raise NoEar("No recogniser is installed.")

    monkeypatch.setattr(station, "Ear", deaf)


def run(course, **options):
    return narrate(course, list(course.weeks), **options)


def script(course, name=FIRST):
    return course.root / "narration" / f"{name}.md"


def tone(seconds, rate=RATE, level=0.1, pitch=300):
    return (level * np.sin(2 * np.pi * pitch * np.arange(round(seconds * rate)) / rate)).astype(np.float32)


def test_what_is_made(spoken):
    """mp3 of one channel at 24 kHz and 32 kbit/s, as loud as all; cues with the script's sentences; the manifest."""
    entries = read_manifest(spoken.root / "narration")
    assert list(entries) == [FIRST, SECOND]
    for name, entry in entries.items():
        data = script(spoken, name).with_suffix(".mp3").read_bytes()
        assert form(data) == ("MP3", 1, RATE)
        assert 8 * len(data) / entry.seconds == pytest.approx(32_000, rel=0.05)
        assert measure(decode(data)) == pytest.approx(-16, abs=0.2)
        assert (entry.synthetic, entry.voice, entry.licence) == (True, "a tone", "CC0-1.0")
        cues = script(spoken, name).with_suffix(".vtt")
        assert "NOTE Synthetic voice: " in cues.read_text()
        spans = read_cues(cues.read_bytes())
        assert [span.text for span in spans] == [sentence.text for sentence in sentences(SCRIPTS[name[16:]])]
        assert spans[-1].end == pytest.approx(entry.seconds, abs=0.2)
    assert check_audio(spoken, spoken.weeks[0]) == []
    with soundfile.SoundFile(script(spoken).with_suffix(".mp3")) as file:
        assert "Synthetic voice" in file.comment and file.title == "week1 attention, 01 first"


def test_cues_change_in_the_pause(spoken):
    """Around each change of cue there is silence: the sentence before has ended, the next has not begun."""
    sound = decode(script(spoken).with_suffix(".mp3").read_bytes())
    spans = read_cues(script(spoken).with_suffix(".vtt").read_bytes())
    for span in spans[1:]:
        near = sound.samples[round((span.begin - 0.1) * RATE) : round((span.begin + 0.1) * RATE)]
        assert np.abs(near).max() < 0.01
        after = sound.samples[round((span.begin + 0.2) * RATE) : round((span.begin + 0.6) * RATE)]
        assert np.abs(after).max() > 0.05


def test_nothing_new_needs_no_voice(course, monkeypatch):
    monkeypatch.setattr(station, "find_voice", lambda *_: pytest.fail("a voice was asked for"))
    report = run(course)
    assert (report.made, report.kept, report.failed) == ([], [FIRST, SECOND], {})


def keep_line(course, **changes):
    """course.toml anew, with the same voice."""
    return configure(course.root, line=course.narration["command"]["line"], **changes)


def test_only_what_changed_is_made_again(course):
    text = script(course, SECOND).read_text()
    script(course, SECOND).write_text(text + "No, it is not.\n")
    assert run(course).made == [SECOND]
    script(course).write_text(SCRIPTS["01_first"].replace(" are ", "\nare "))  # other lines, the same words
    assert run(course).made == []
    (course.root / "narration" / "lexicon.toml").write_text('[said]\n"softmax" = "the soft maximum"\n')
    assert run(course).made == [SECOND]
    script(course).with_suffix(".mp3").write_bytes(b"damaged")
    assert run(course).made == [FIRST]
    script(course).with_suffix(".vtt").unlink()
    assert run(course).made == [FIRST]
    assert run(course, force=True).made == [FIRST, SECOND]
    assert check_audio(course, course.weeks[0]) == []
    line = course.narration["command"]["line"]
    assert run(configure(course.root, line=[*line, "louder"])).made == [FIRST, SECOND]


def test_the_lexicon_is_for_the_voice_alone(course):
    spans = read_cues(script(course, SECOND).with_suffix(".vtt").read_bytes())
    assert spans[0].text == "Softmax turns the first into the second."
    lexicon = read_lexicon(ROOT / "narration" / "lexicon.toml")
    for written, said in {
        "Take √d_k here.": "Take the square root of d sub k here.",
        "QK^T, softmax and all": "Q times K transpose, soft max and all",
        "Before you read on, read.": "Before you reed on, read.",
        "d_keys": "d_keys",
    }.items():
        assert lexicon.say(written) == said


def test_another_voice_serves_where_the_first_is_missing(course, espeak_ng):
    """And makes only what is missing: what is there in the first one's voice stays, and the other way round."""
    script(course).with_suffix(".mp3").unlink()
    report = run(keep_line(course, engines=["nobody", "command"]))
    assert report.made == [FIRST] and "There is no voice engine 'nobody'" in report.notes[0]
    assert run(keep_line(course, engines=["espeak", "command"])).made == [FIRST, SECOND]
    entry = read_manifest(course.root / "narration")[FIRST]
    assert (entry.engine, entry.licence) == ("espeak-ng", "GPL-3.0-or-later") and entry.version[0].isdigit()
    assert run(keep_line(course, engines=["nobody", "espeak"])).made == []


def test_without_any_voice_it_says_what_to_install(course, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.setenv("PATH", "")
    script(course).with_suffix(".mp3").unlink()
    with pytest.raises(VoiceMissing, match=r"coursekit\[narrate\].* Or: espeak-ng is not installed: apt-get"):
        run(keep_line(course, engines=["kokoro", "espeak"]))


def test_a_failing_segment_leaves_the_others_alone(course):
    before = script(course).with_suffix(".mp3").read_bytes()
    script(course).write_text("I shall fail.")
    script(course, SECOND).write_text("I shall not.")
    (script(course).with_name("03_mute.md")).write_text("Here I am mute.")
    report = run(course)
    assert report.made == [SECOND]
    assert "ended with 1: no words for it" in report.failed[FIRST]
    assert report.failed[f"{WEEK}/03_mute"] == "the voice was silent: 'Here I am mute.'"
    assert script(course).with_suffix(".mp3").read_bytes() == before
    assert any("from a different text" in problem for problem in check_audio(course, course.weeks[0]))


@pytest.mark.parametrize(
    "data, sentence",
    [
        (b"", "is empty"),
        (b"caf\xe9", "is not UTF-8 text"),
    ],
)
def test_bad_scripts(course, data, sentence):
    script(course).write_bytes(data)
    report = run(course)
    assert sentence in report.failed[FIRST] and report.kept == [SECOND]


@pytest.mark.parametrize(
    "file, text, sentence",
    [
        ("narration/lexicon.toml", '[said]\nsoftmax = 3\n', "'softmax' must be what is written"),
        ("narration/lexicon.toml", "[said", "lexicon.toml cannot be read"),
        ("narration/lexicon.toml", "[other]\n", r"must hold one table, \[said\]"),
        ("narration/manifest.json", "{", "is no manifest of narration.*Get it back from git"),
        ("narration/manifest.json", '{"segments": {"a": {"seconds": "long"}}}', "is no manifest"),
        ("course.toml", "narration = 3\n", r"narration must be a table"),
        ("course.toml", "[narration]\nengines = 'kokoro'\n", "engines must be a list of names"),
        ("course.toml", "[narration]\nengines = ['a']\nspeed = 3\n", "speed cannot be set there"),
        ("course.toml", "[narration]\nengines = ['a']\n[narration.archive]\nsha256 = 'x'\n", "64 digits"),
        ("course.toml", "[narration]\nengines = ['a']\n[narration.archive]\nmirrors = 'x'\n", "list of addresses"),
        ("course.toml", "", r"course.toml has no \[narration\]"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(course, file, text, sentence):
    path = course.root / file
    if file == "course.toml":
        whole = path.read_text()
        begin, end = whole.index("[narration]"), whole.index("[[weeks]]")
        # A key of the file's own has to stand above all its tables.
        text = (
            text + whole[:begin] + whole[end:]
            if text.startswith("narr")
            else whole[:begin] + text + whole[end:]
        )
    path.write_text(text)
    with pytest.raises(CourseError, match=sentence):
        run(open_course(course.root))


def test_the_command(course):
    """Exit codes and what is printed, as a shell sees them."""

    def course_narrate(*options):
        program = [sys.executable, "-m", "coursekit.cli", "narrate", *options]
        return subprocess.run(program, cwd=course.root, capture_output=True, text=True)

    done = course_narrate()
    assert (done.returncode, done.stdout.split(".")[0]) == (0, "0 made, 2 unchanged, 0 without audio"), done
    script(course).write_text("I shall fail.")
    failed = course_narrate("--json")
    assert failed.returncode == 1 and FIRST in json.loads(failed.stdout)["failed"]
    unknown = course_narrate("--engine", "nobody", "--force")
    assert unknown.returncode == 2 and "There is no voice engine 'nobody'" in unknown.stderr
    assert "Traceback" not in unknown.stderr + failed.stderr


def test_a_crash_between_audio_and_manifest_is_mended(course, monkeypatch):
    script(course).write_text("Other words.")
    monkeypatch.setattr(station, "write_manifest", lambda *_: (_ for _ in ()).throw(OSError(28, "no space")))
    assert "no space" in run(course).failed[FIRST]
    monkeypatch.undo()
    assert run(course).made == [FIRST]
    assert check_audio(course, course.weeks[0]) == []


def test_scripts_that_are_gone(course):
    script(course).unlink()
    assert run(course).kept == [SECOND]
    assert list(read_manifest(course.root / "narration")) == [SECOND]
    assert check_audio(course, course.weeks[0]) == [
        f"narration/{FIRST}.mp3 belongs to no script",
        f"narration/{FIRST}.vtt belongs to no script",
    ]


# An instructor's own voice


def record(course, seconds=4.0, kind=".wav"):
    """A quiet recording of two channels at 44.1 kHz, with silence around it."""
    said = np.concatenate([np.zeros(30_000), tone(seconds, 44_100, 0.02), np.zeros(30_000)])
    path = script(course).with_name(f"01_first.recording{kind}")
    soundfile.write(path, np.stack([said, said], axis=1), 44_100)
    return path


@pytest.mark.parametrize("kind", [".wav", ".flac", ".mp3"])
def test_a_recording_is_taken_and_never_overwritten(course, no_ear, kind):
    path = record(course, kind=kind)
    before = path.read_bytes()
    report = run(course)
    assert report.made == [FIRST] and "no recogniser is installed" in report.notes[0]
    audio = script(course).with_suffix(".mp3").read_bytes()
    sound = decode(audio)
    assert measure(sound) == pytest.approx(-16, abs=0.2) and sound.seconds == pytest.approx(4.1, abs=0.2)
    assert read_manifest(course.root / "narration")[FIRST].synthetic is False
    assert "Synthetic" not in script(course).with_suffix(".vtt").read_text()
    assert check_audio(course, course.weeks[0]) == []
    assert run(course, force=True).made == [SECOND]
    path.unlink()  # kept elsewhere: what was made of it stays
    script(course).write_text("Now it says something else.")
    report = run(course, force=True)
    assert report.made == [SECOND] and "is a recording of an earlier text, and is kept" in report.notes[0]
    assert script(course).with_suffix(".mp3").read_bytes() == audio
    assert "was recorded from a different text" in "\n".join(check_audio(course, course.weeks[0]))
    path.write_bytes(before)
    assert run(course).made == [FIRST] and path.read_bytes() == before


def test_a_sound_of_somebodys_own_is_never_overwritten(course, no_ear):
    """A recording saved right under the segment's name, and one made of a recording that somebody has edited since."""
    path = script(course).with_suffix(".mp3")
    soundfile.write(path, tone(4), RATE, format="MP3")
    before = path.read_bytes()
    report = run(course, force=True)
    assert report.made == [SECOND] and path.read_bytes() == before
    assert (
        "01_first.mp3 was not made by `course narrate`, so it is not overwritten: name it"
        in report.failed[FIRST]
    )
    path.rename(path.with_name("01_first.recording.mp3"))
    assert run(course).made == [FIRST]
    path.with_name("01_first.recording.mp3").unlink()
    path.write_bytes(path.read_bytes() + b"edited")
    assert "not overwritten" in run(course, force=True).failed[FIRST]
    path.unlink()
    assert run(course).made == [FIRST]


def test_recordings_that_cannot_be_used(course, no_ear):
    path = record(course)
    path.write_bytes(b"RIFF of nothing")
    assert run(course).failed[FIRST] == "01_first.recording.wav: is no sound that can be read."
    soundfile.write(path, np.zeros(44_100), 44_100)
    assert run(course).failed[FIRST] == "01_first.recording.wav: the voice was silent."
    record(course, kind=".flac")
    assert "several recordings" in run(course).failed[FIRST]
    path.unlink()
    path.with_suffix(".flac").rename(path.with_suffix(".m4a"))
    assert "01_first.recording.m4a cannot be read: save it as one of .wav" in run(course).failed[FIRST]


def test_a_recording_is_compared_with_its_script(monkeypatch):
    monkeypatch.setattr(recording, "words_of", lambda text: text.lower().replace(".", "").split())
    parts = sentences("One two three. Four five six. Seven eight.")
    words = [
        Word(word, 2.0 * number)
        for number, word in enumerate(["one", "two", "tree", "four", "five", "seven", "eight"])
    ]
    heard = Heard(tuple(words))
    spans = recording.spans(parts, Sound(tone(15), RATE), heard)
    assert [span.begin for span in spans] == [0, 6, 10] and spans[-1].end == 15
    even = recording.spans(parts, Sound(tone(15), RATE), None)
    assert [span.begin for span in even] == pytest.approx([0, 15 * 14 / 40, 15 * 28 / 40], abs=0.1)
    monkeypatch.setattr(Heard, "error_rate", lambda self, text: 3 / 8)
    with pytest.raises(
        CourseError, match="it.wav is not this script, as far as can be heard: 38 % of the words"
    ):
        recording.compare("One two", heard, "it.wav")


# Voices, sound, and what `course check` finds


def test_a_program_as_a_voice(tmp_path):
    program = tmp_path / "tone.py"
    make_spoken_course(tmp_path)
    line = [sys.executable, "-S", str(program), "{wav}"]
    assert spoken_by(line, "Hello there.").seconds == pytest.approx(12 / 25)
    with pytest.raises(VoiceTrouble, match="took more than 1 s for 'I hang.'"):
        spoken_by(line, "I hang.", seconds=1)
    with pytest.raises(VoiceTrouble, match="wrote no wave file"):
        spoken_by([sys.executable, "-c", "", "{wav}"], "Hello")
    with pytest.raises(VoiceMissing, match="The program no-such-voice is not installed"):
        Command(["no-such-voice", "{wav}"])
    for wrong in ("say {wav}", [], ["say"]):
        with pytest.raises(CourseError, match="`line` must be a list of words"):
            Command(wrong)
    with pytest.raises(CourseError, match=r"\[narration.espeak\]: .*unexpected keyword argument 'pitch'"):
        find_voice("espeak", {"pitch": 3})


def test_pauses_silence_and_loudness():
    said = Sound(np.concatenate([np.zeros(RATE), tone(1), np.zeros(RATE)]), RATE)
    assert trim(said).seconds == pytest.approx(1.08, abs=0.01)
    text = sentences("One. Two.\n\nThree.")
    sound, spans = join([(sentence, said) for sentence in text])
    assert sound.seconds == pytest.approx(0.15 + 3 * 1.08 + 0.4 + 0.8 + 0.5, abs=0.05)
    assert [span.text for span in spans] == ["One.", "Two.", "Three."]
    assert spans[0].end == spans[1].begin and spans[-1].end == pytest.approx(sound.seconds, abs=0.001)
    with pytest.raises(TooQuiet):
        trim(Sound(np.zeros(RATE), RATE))
    with pytest.raises(TooQuiet, match="less than 0.4 seconds"):
        measure(Sound(tone(0.1), RATE))


def test_no_peak_is_cut_off():
    """A click in quiet speech is turned down smoothly, and the whole is as loud as wanted."""
    samples = tone(3, level=0.05)
    samples[RATE : RATE + 20] = 1.0
    made = as_loud_as(Sound(samples, RATE))
    assert measure(made) == pytest.approx(-16, abs=0.1)
    assert np.abs(made.samples).max() <= 10 ** (PEAK / 20) + 1e-6
    gain = limit(samples * 4, RATE) / (samples * 4 + (samples == 0))
    assert np.abs(np.diff(gain[samples != 0])).max() < 0.05


def damage(kind, change):
    def apply(course):
        path = script(course).with_suffix(kind)
        path.write_bytes(change(path.read_bytes()))

    return apply


def edit_entry(**changes):
    def apply(course):
        path = course.root / "narration" / "manifest.json"
        data = json.loads(path.read_text())
        data["segments"][FIRST] |= changes
        path.write_text(json.dumps(data))

    return apply


def drop_entry(course):
    path = course.root / "narration" / "manifest.json"
    data = json.loads(path.read_text())
    data["segments"]["week1_attention/09_gone"] = data["segments"].pop(FIRST)
    path.write_text(json.dumps(data))


def other_sound(samples, rate=RATE, form="MP3"):
    def apply(course):
        soundfile.write(script(course).with_suffix(".mp3"), samples, rate, format=form)

    return apply


def swap_cues(text):
    cues = text.decode().split("\n\n")
    cues[2], cues[3] = cues[3], cues[2]
    return "\n\n".join(cues).encode()


DAMAGE = {
    "no mp3": (lambda course: script(course).with_suffix(".mp3").unlink(), ".mp3 is missing"),
    "no cues": (lambda course: script(course).with_suffix(".vtt").unlink(), ".vtt is missing"),
    "no entry": (drop_entry, ".md has no audio in manifest.json: run `course narrate week1_attention`"),
    "an entry too many": (drop_entry, "manifest.json has week1_attention/09_gone, which has no script"),
    "another text": (
        lambda course: script(course).write_text("Scores are facts."), ".mp3 was made from a different text"
    ),
    "another sound": (damage(".mp3", lambda data: data[:-1] + b"x"), ".mp3 is not the file that manifest.json"),
    "a shorter sound": (damage(".mp3", lambda data: data[:12_000]), ".mp3 lasts "),
    "no sound": (damage(".mp3", lambda data: b"nothing"), ".mp3 is no sound that can be read"),
    "two channels": (other_sound(np.stack([tone(4), tone(4)], 1)), ".mp3 is MP3 with 2 channels at 24000 Hz"),
    "a wave file": (other_sound(tone(4), form="WAV"), ".mp3 is WAV with 1 channels"),
    "too soft": (other_sound(tone(4, level=0.01)), " LUFS, the others -16"),
    "other seconds": (edit_entry(seconds=99.0), "manifest.json says 99.00 s"),
    "other cues": (damage(".vtt", lambda data: data + b"\n"), ".vtt is not the file that manifest.json describes:"),
    "a cue's words": (
        damage(".vtt", lambda data: data.replace(b"shares", b"parts")), ".vtt has different sentences"
    ),
    "cues out of order": (damage(".vtt", swap_cues), ".vtt has cues that are out of order"),
    "a cue too few": (
        damage(".vtt", lambda data: data[: data.rindex(b"\n\n")] + b"\n"), ".vtt goes from 0.00 to "
    ),
    "no cue at all": (damage(".vtt", lambda data: b"WEBVTT\n"), ".vtt has different sentences"),
    "cues that end first": (
        damage(".vtt", lambda data: data.replace(b"00:00:00.000 -->", b"00:00:59.000 -->")), "ends before it begins"
    ),
    "no cues but a page": (damage(".vtt", lambda data: b"<html>"), ".vtt is no WebVTT"),
    "a stray file": (
        lambda course: script(course).with_name("08_odd.mp3").write_bytes(b""), "08_odd.mp3 belongs to no script"
    ),
    "a broken manifest": (
        lambda course: (course.root / "narration" / "manifest.json").write_text("[]"), "is no manifest"
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", DAMAGE)
def test_check_finds(course, what):
    apply, sentence = DAMAGE[what]
    apply(course)
    assert sentence in "\n".join(check_audio(course, course.weeks[0]))


def test_a_week_has_all_of_its_audio_or_none(course):
    folder = script(course).parent
    for path in [*folder.glob("*.mp3"), *folder.glob("*.vtt")]:
        path.unlink()
    manifest = course.root / "narration" / "manifest.json"
    data = json.loads(manifest.read_text())
    kept = dict(data["segments"])
    data["segments"] = {}
    manifest.write_text(json.dumps(data))
    assert check_audio(course, course.weeks[0]) == []
    data["segments"] = {name: kept[name] for name in list(kept)[:1]}
    manifest.write_text(json.dumps(data))
    assert ".mp3 is missing" in "\n".join(check_audio(course, course.weeks[0]))


def test_a_course_without_narration_promises_no_audio(course):
    text = (course.root / "course.toml").read_text()
    begin, end = text.index("[narration]"), text.index("[[weeks]]")
    (course.root / "course.toml").write_text(text[:begin] + text[end:])
    script(course).with_suffix(".mp3").unlink()
    assert check_audio(open_course(course.root), course.weeks[0]) == []
