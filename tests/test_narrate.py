"""`course narrate`: what is made, what is made again, what is never replaced, and how what goes wrong is reported."""

import json
import shutil
import sys
from importlib.metadata import EntryPoint

import numpy as np
import pytest
import soundfile
from command import course_here
from small_course import ROOT
from spoken_course import SCRIPTS, WEEK, configure, make_spoken_course

from coursekit.authoring.lesson.narration import check_audio
from coursekit.authoring.narration import manifest, narrate, recording, voices
from coursekit.authoring.narration.files import audio_format, decode, encode, read_cues
from coursekit.authoring.narration.lexicon import Lexicon, read_lexicon
from coursekit.authoring.narration.manifest import read_manifest
from coursekit.authoring.narration.script import sentences
from coursekit.authoring.narration.sound import (
    PEAK,
    RATE,
    SilentAudio,
    Sound,
    amplified,
    join,
    measure,
    trimmed,
)
from coursekit.authoring.narration.transcription import TranscriberUnavailable, Transcription, Word
from coursekit.authoring.narration.voices import Facts, VoiceMissing, VoiceTrouble, find_voice
from coursekit.authoring.narration.voices.command import Command, ProgramVoice
from coursekit.course.config import open_course
from coursekit.engine.shared.errors import CourseError

FIRST, SECOND = (f"{WEEK}/{name}" for name in SCRIPTS)


@pytest.fixture(scope="module")
def spoken(tmp_path_factory):
    """A course whose audio is made; tests work on copies of it."""
    course = make_spoken_course(tmp_path_factory.mktemp("spoken"))
    report = run(course)
    assert report.made == [FIRST, SECOND] and not report.failed
    return course


@pytest.fixture
def course(spoken, tmp_path):
    """Its own copy; the program that speaks is the original's, so that its settings are the same."""
    shutil.copytree(spoken.root, tmp_path, dirs_exist_ok=True)
    return open_course(tmp_path)


@pytest.fixture
def no_transcriber(monkeypatch):
    def unavailable():
        raise TranscriberUnavailable("No recogniser is installed.")

    monkeypatch.setattr(narrate, "Transcriber", unavailable)


def run(course, **options):
    return narrate.narrate(course, list(course.weeks), **options)


def check(course):
    """The problems that `course check` finds, as one text."""
    return "\n".join(check_audio(course, course.weeks[0]))


def script(course, name=FIRST):
    return course.root / "narration" / f"{name}.md"


def mp3(course, name=FIRST):
    return script(course, name).with_suffix(".mp3")


def tone(seconds, rate=RATE, level=0.1, pitch=300):
    return (level * np.sin(2 * np.pi * pitch * np.arange(round(seconds * rate)) / rate)).astype(np.float32)


def test_what_is_made(spoken):
    """mp3 of one channel at 24 kHz and 32 kbit/s, as loud as all; cues with the script's sentences; the manifest."""
    entries = read_manifest(spoken.root / "narration")
    assert list(entries) == [FIRST, SECOND]
    for name, entry in entries.items():
        data = mp3(spoken, name).read_bytes()
        assert audio_format(data) == ("MP3", 1, RATE)
        assert 8 * len(data) / entry.seconds == pytest.approx(32_000, rel=0.05)
        assert measure(decode(data)) == pytest.approx(-16, abs=0.2)
        assert (entry.synthetic, entry.voice, entry.licence) == (True, "a tone", "CC0-1.0")
        cues = read_cues(script(spoken, name).with_suffix(".vtt").read_bytes())
        assert [cue.text for cue in cues] == [sentence.text for sentence in sentences(SCRIPTS[name[16:]])]
        assert cues[-1].end == pytest.approx(entry.seconds, abs=0.2)
    assert "NOTE Synthetic voice: " in script(spoken).with_suffix(".vtt").read_text()
    with soundfile.SoundFile(mp3(spoken)) as file:
        assert "Synthetic voice" in file.comment and file.title == "week1 attention, 01 first"
    assert check(spoken) == ""


def test_cues_change_in_the_pause(spoken):
    """Around each change of cue there is silence: the sentence before has ended, the next has not begun."""
    samples = decode(mp3(spoken).read_bytes()).samples
    for cue in read_cues(script(spoken).with_suffix(".vtt").read_bytes())[1:]:
        change, after = (
            samples[round((cue.begin + begin) * RATE) : round((cue.begin + end) * RATE)]
            for begin, end in ((-0.1, 0.1), (0.2, 0.6))
        )
        assert np.abs(change).max() < 0.01 and np.abs(after).max() > 0.05


def keep_line(course, **changes):
    """course.toml anew, with the same voice."""
    return configure(course.root, line=course.narration["command"]["line"], **changes)


def test_only_what_changed_is_made_again(course, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(narrate, "find_voice", lambda *_: pytest.fail("a voice was asked for"))
        report = run(course)
        assert (report.made, report.kept, report.failed) == ([], [FIRST, SECOND], {})
        script(course).write_text(SCRIPTS["01_first"].replace(" are ", "\nare "))  # the same words
        assert run(course).made == []
    script(course, SECOND).write_text(SCRIPTS["02_second"] + "No, it is not.\n")
    assert run(course).made == [SECOND]
    (course.root / "narration" / "lexicon.toml").write_text('[said]\n"softmax" = "the soft maximum"\n')
    assert run(course).made == [SECOND]
    mp3(course).write_bytes(b"damaged")
    assert run(course).made == [FIRST]
    script(course).with_suffix(".vtt").unlink()
    assert run(course).made == [FIRST]
    assert run(course, force=True).made == [FIRST, SECOND]
    assert check(course) == ""
    louder = configure(course.root, line=[*course.narration["command"]["line"], "louder"])
    assert run(louder).made == [FIRST, SECOND]


def test_what_is_written_otherwise_and_sounds_the_same_gets_new_cues_alone(course):
    (course.root / "narration" / "lexicon.toml").write_text('[said]\n"softmax" = "soft max"\n')
    run(course)
    sound, cues = mp3(course, SECOND).read_bytes(), script(course, SECOND).with_suffix(".vtt")
    before = read_cues(cues.read_bytes())
    script(course, SECOND).write_text(SCRIPTS["02_second"].replace("Softmax", "soft max"))
    report = run(course)
    assert (report.made, report.kept) == ([], [FIRST, SECOND]) and check(course) == ""
    after = read_cues(cues.read_bytes())
    assert mp3(course, SECOND).read_bytes() == sound
    assert [(cue.begin, cue.end) for cue in after] == [(cue.begin, cue.end) for cue in before]
    assert after[0].text == "soft max turns the first into the second." != before[0].text


def test_the_lexicon_is_for_the_voice_alone(spoken):
    cues = read_cues(script(spoken, SECOND).with_suffix(".vtt").read_bytes())
    assert cues[0].text == "Softmax turns the first into the second."
    lexicon = read_lexicon(ROOT / "narration" / "lexicon.toml")
    for written, spoken_words in {
        "Take √d_k here.": "Take the square root of d sub k here.",
        "QK^T, softmax and all": "Q times K transpose, soft max and all",
        "Before you read on, read.": "Before you reed on, read.",
        "d_keys": "d_keys",
    }.items():
        assert lexicon.say(written) == spoken_words
    assert Lexicon({"μ": "micro", "straße": "street"}).say("5 µ, STRAßE") == "5 micro, street", (
        "the micro sign"
    )


def test_another_voice_serves_where_the_first_is_missing(course, espeak_ng):
    """And makes only what is missing: what is there in the first one's voice stays, and the other way round."""
    mp3(course).unlink()
    report = run(keep_line(course, engines=["nobody", "command"]))
    assert report.made == [FIRST] and "There is no voice engine 'nobody'" in report.notes[0]
    assert run(keep_line(course, engines=["espeak", "command"])).made == [FIRST, SECOND]
    entry = read_manifest(course.root / "narration")[FIRST]
    assert (entry.engine, entry.licence) == ("espeak-ng", "GPL-3.0-or-later") and entry.version[0].isdigit()
    assert run(keep_line(course, engines=["nobody", "espeak"])).made == []


def test_without_any_voice_it_says_what_to_install(course, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.setenv("PATH", "")
    mp3(course).unlink()
    wanted = r"coursekit\[narrate\].* Or: Piper is .*coursekit\[piper\].* Or: espeak-ng is .*apt-get"
    with pytest.raises(VoiceMissing, match=wanted):
        run(keep_line(course, engines=["kokoro", "piper", "espeak"]))


def test_a_failing_segment_leaves_the_others_alone(course):
    before = mp3(course).read_bytes()
    texts = {"01_first": b"I shall fail.", "02_second": b"I shall not.", "03_mute": b"Here I am mute."}
    for name, text in (texts | {"04_empty": b"", "05_latin": b"caf\xe9"}).items():
        script(course).with_name(f"{name}.md").write_bytes(text)
    report = run(course)
    assert report.made == [SECOND]
    reasons = {name.partition("/")[2]: reason for name, reason in report.failed.items()}
    assert "ended with 1: no words for it" in reasons["01_first"]
    assert reasons["03_mute"] == "the voice was silent: 'Here I am mute.'"
    assert "is empty" in reasons["04_empty"] and "is not UTF-8 text" in reasons["05_latin"]
    assert mp3(course).read_bytes() == before and "from a different text" in check(course)


@pytest.mark.parametrize(
    "file, text, sentence",
    [
        ("lexicon.toml", "[said]\nsoftmax = 3\n", "'softmax' must be what is written"),
        ("lexicon.toml", "[said", "lexicon.toml cannot be read"),
        ("lexicon.toml", "[other]\n", r"must hold one table, \[said\]"),
        ("manifest.json", "{", "is no manifest of narration.*Get it back from git"),
        ("manifest.json", '{"segments": {"a": {"seconds": "long"}}}', "is no manifest"),
        ("course.toml", "narration = 3\n", "narration must be a table"),
        ("course.toml", "[narration]\nengines = 'kokoro'\n", "engines must be a list of names"),
        ("course.toml", "[narration]\nengines = ['a']\nspeed = 3\n", "speed cannot be set there"),
        ("course.toml", "[narration]\nengines = ['a']\n[narration.archive]\nsha256 = 'x'\n", "64 digits"),
        ("course.toml", "[narration]\nengines = ['a']\n[narration.archive]\nmirrors = 'x'\n", "addresses"),
        ("course.toml", "", r"course.toml has no \[narration\]"),
    ],
)
def test_bad_input_is_reported(course, file, text, sentence):
    if file != "course.toml":
        (course.root / "narration" / file).write_text(text)
    with pytest.raises(CourseError, match=sentence):
        run(configure(course.root, narration=text) if file == "course.toml" else course)


def test_the_command(course):
    """Exit codes and what is printed."""
    done = course_here(course.root, "narrate")
    assert (done.returncode, done.stdout.split(".")[0]) == (0, "0 made, 2 unchanged, 0 without audio"), done
    script(course).write_text("I shall fail.")
    failed = course_here(course.root, "narrate", "--json")
    assert failed.returncode == 1 and FIRST in json.loads(failed.stdout)["failed"]
    unknown = course_here(course.root, "narrate", "--engine", "nobody", "--force")
    assert unknown.returncode == 2 and "There is no voice engine 'nobody'" in unknown.stderr
    assert "Traceback" not in unknown.stderr + failed.stderr


def test_a_crash_between_audio_and_manifest_is_repaired(course, monkeypatch):
    script(course).write_text("Other words.")
    monkeypatch.setattr(manifest, "write_manifest", lambda *_: (_ for _ in ()).throw(OSError(28, "no space")))
    assert "no space" in run(course).failed[FIRST]
    monkeypatch.undo()
    assert run(course).made == [FIRST] and check(course) == ""


def test_scripts_that_are_gone(course):
    script(course).unlink()
    assert run(course).kept == [SECOND]
    assert list(read_manifest(course.root / "narration")) == [SECOND]
    assert check(course).splitlines() == [
        f"narration/{FIRST}.mp3 belongs to no script",
        f"narration/{FIRST}.vtt belongs to no script",
    ]


# An instructor's own voice


def record(course, seconds=4.0, kind=".wav"):
    """A quiet recording of two channels at 44.1 kHz, with silence around it."""
    samples = np.concatenate([np.zeros(30_000), tone(seconds, 44_100, 0.02), np.zeros(30_000)])
    path = script(course).with_name(f"01_first.recording{kind}")
    soundfile.write(path, np.stack([samples, samples], axis=1), 44_100)
    return path


@pytest.mark.parametrize("kind", [".wav", ".flac", ".mp3"])
def test_a_recording_is_used_and_never_overwritten(course, no_transcriber, kind):
    path = record(course, kind=kind)
    before = path.read_bytes()
    report = run(course)
    assert report.made == [FIRST] and "no recogniser is installed" in report.notes[0]
    made = mp3(course).read_bytes()
    sound = decode(made)
    assert measure(sound) == pytest.approx(-16, abs=0.2) and sound.seconds == pytest.approx(4.1, abs=0.2)
    assert read_manifest(course.root / "narration")[FIRST].synthetic is False
    assert "Synthetic" not in script(course).with_suffix(".vtt").read_text()
    assert check(course) == ""
    assert run(course, force=True).made == [SECOND]
    path.unlink()  # kept elsewhere: what was made of it stays
    script(course).write_text("Now it says something else.")
    report = run(course, force=True)
    assert report.made == [SECOND] and "is a recording of an earlier text, and is kept" in report.notes[0]
    assert mp3(course).read_bytes() == made
    assert "was recorded from a different text" in check(course)
    path.write_bytes(before)
    assert run(course).made == [FIRST] and path.read_bytes() == before


def test_a_persons_own_sound_is_never_overwritten(course, no_transcriber):
    """A recording saved right under the segment's name, and one made of a recording that was edited since."""
    path = mp3(course)
    soundfile.write(path, tone(4), RATE, format="MP3")
    before = path.read_bytes()
    report = run(course, force=True)
    assert report.made == [SECOND] and path.read_bytes() == before
    wanted = "01_first.mp3 was not made by `course narrate`, so it is not overwritten: name it"
    assert wanted in report.failed[FIRST]
    path.rename(path.with_name("01_first.recording.mp3"))
    assert run(course).made == [FIRST]
    path.with_name("01_first.recording.mp3").unlink()
    path.write_bytes(path.read_bytes() + b"edited")
    assert "not overwritten" in run(course, force=True).failed[FIRST]
    path.unlink()
    assert run(course).made == [FIRST]


def test_recordings_that_cannot_be_used(course, no_transcriber):
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
    monkeypatch.setattr(recording, "normalized_words", lambda text: text.lower().replace(".", "").split())
    parts = sentences("One two three. Four five six. Seven eight.")
    words = ["one", "two", "tree", "four", "five", "seven", "eight"]
    transcription = Transcription(tuple(Word(word, 2.0 * number) for number, word in enumerate(words)))
    cues = recording.cues(parts, Sound(tone(15), RATE), transcription)
    assert [cue.begin for cue in cues] == [0, 6, 10] and cues[-1].end == 15
    even = recording.cues(parts, Sound(tone(15), RATE), None)
    assert [cue.begin for cue in even] == pytest.approx([0, 15 * 14 / 40, 15 * 28 / 40], abs=0.1)
    monkeypatch.setattr(Transcription, "error_rate", lambda self, text: 3 / 8)
    with pytest.raises(CourseError, match="it.wav is not this script.*: 38 % of the words"):
        recording.compare("One two", transcription, "it.wav")


# Voices


def test_a_program_as_a_voice(tmp_path):
    make_spoken_course(tmp_path)
    line = [sys.executable, "-S", str(tmp_path / "tone.py"), "{wav}"]
    nothing = Facts("", "", "", "")
    assert ProgramVoice(line, nothing).say("Hello there.").seconds == pytest.approx(12 / 25)
    with pytest.raises(VoiceTrouble, match="took more than 1 s for 'I hang.'"):
        ProgramVoice(line, nothing, seconds=1).say("I hang.")
    with pytest.raises(VoiceTrouble, match="wrote no wave file"):
        ProgramVoice([sys.executable, "-c", "", "{wav}"], nothing).say("Hello")
    with pytest.raises(VoiceMissing, match="The program no-such-voice is not installed"):
        Command(["no-such-voice", "{wav}"])
    for wrong in ("say {wav}", [], ["say"]):
        with pytest.raises(CourseError, match="`line` must be a list of words"):
            Command(wrong)
    with pytest.raises(CourseError, match=r"\[narration.espeak\]: .*unexpected keyword argument 'pitch'"):
        find_voice("espeak", {"pitch": 3})


class Mute:
    def facts(self):
        return Facts("mute", "1", "", "")


class Talker(Mute):
    def say(self, text):
        return Sound(tone(1), RATE)


class Nameless(Talker):
    def facts(self):
        return "nameless"


def test_a_hook_is_validated_when_it_is_loaded(monkeypatch):
    """A package's entry point that is no voice engine is named, and so is what it lacks."""
    monkeypatch.setattr(voices, "entry_points", lambda group: [point])
    for target, reason in {
        "ROOT": "it cannot be called with an engine's settings",
        "Mute": "what it returns has no method say",
        "open_course": r"course.toml, \[narration.other\]: .*'root'",
        "dict": "what it returns has no method facts and no method say",
        "Nameless": r"its `facts\(\)` returns no `Facts`",
        "Missing": "The voice engine other cannot be loaded",
    }.items():
        module = "builtins" if target == "dict" else __name__
        point = EntryPoint("other", f"{module}:{target}", voices.GROUP)
        with pytest.raises(CourseError, match=reason):
            find_voice("other", {})
    point = EntryPoint("other", f"{__name__}:Talker", voices.GROUP)
    assert isinstance(find_voice("other", {}), Talker)


# Sound


def test_pauses_and_silence():
    sound = Sound(np.concatenate([np.zeros(RATE), tone(1), np.zeros(RATE)]), RATE)
    assert trimmed(sound).seconds == pytest.approx(1.08, abs=0.01)
    joined, cues = join([(sentence, sound) for sentence in sentences("One. Two.\n\nThree.")])
    assert joined.seconds == pytest.approx(0.15 + 3 * 1.08 + 0.4 + 0.8 + 0.5, abs=0.05)
    assert [cue.text for cue in cues] == ["One.", "Two.", "Three."]
    assert cues[0].end == cues[1].begin and cues[-1].end == pytest.approx(joined.seconds, abs=0.001)
    with pytest.raises(SilentAudio):
        trimmed(Sound(np.zeros(RATE), RATE))
    with pytest.raises(SilentAudio, match="less than 0.4 seconds"):
        measure(Sound(tone(0.1), RATE))


def test_no_peak_is_cut_off():
    """A click in quiet speech is turned down smoothly, and what is heard of the mp3 is as loud as wanted."""
    samples = tone(3, level=0.05)
    samples[RATE : RATE + 20] = 1.0
    sound = Sound(samples, RATE)
    assert measure(decode(encode(sound, {}))) == pytest.approx(-16, abs=0.1)
    louder = amplified(sound, 12).samples
    assert np.abs(louder).max() <= 10 ** (PEAK / 20) + 1e-6
    gain = louder[samples != 0] / samples[samples != 0]
    assert np.abs(np.diff(gain)).max() < 0.05 and gain.max() == pytest.approx(10 ** (12 / 20))


# What `course check` finds


def damage(kind, change):
    def apply(course):
        path = script(course).with_suffix(kind)
        path.write_bytes(change(path.read_bytes()))

    return apply


def edit_manifest(change):
    def apply(course):
        path = course.root / "narration" / "manifest.json"
        data = json.loads(path.read_text())
        change(data["segments"])
        path.write_text(json.dumps(data))

    return apply


def rename_entry(segments):
    segments["week1_attention/09_gone"] = segments.pop(FIRST)


def other_sound(samples, format="MP3"):
    return lambda course: soundfile.write(mp3(course), samples, RATE, format=format)


def swap_cues(data):
    cues = data.decode().split("\n\n")
    cues[2], cues[3] = cues[3], cues[2]
    return "\n\n".join(cues).encode()


DAMAGE = {
    "no mp3": (lambda course: mp3(course).unlink(), ".mp3 is missing"),
    "no cues": (lambda course: script(course).with_suffix(".vtt").unlink(), ".vtt is missing"),
    "no entry": (edit_manifest(rename_entry), ".md has no audio in manifest.json: run `course narrate week1_att"),
    "an entry too many": (edit_manifest(rename_entry), "has week1_attention/09_gone, which has no script"),
    "another text": (lambda course: script(course).write_text("Scores."), ".mp3 was made from a different text"),
    "another sound": (damage(".mp3", lambda data: data[:-1] + b"x"), ".mp3 is not the file that manifest.json"),
    "a shorter sound": (damage(".mp3", lambda data: data[:12_000]), ".mp3 lasts "),
    "no sound": (damage(".mp3", lambda data: b"nothing"), ".mp3 is no sound that can be read"),
    "two channels": (other_sound(np.stack([tone(4), tone(4)], 1)), ".mp3 is MP3 with 2 channels at 24000 Hz"),
    "a wave file": (other_sound(tone(4), "WAV"), ".mp3 is WAV with 1 channels"),
    "too soft": (other_sound(tone(4, level=0.01)), " LUFS, the others -16"),
    "other seconds": (edit_manifest(lambda segments: segments[FIRST].update(seconds=99.0)), "says 99.00 s"),
    "other cues": (damage(".vtt", lambda data: data + b"\n"), ".vtt is not the file that manifest.json describes"),
    "a cue's words": (damage(".vtt", lambda data: data.replace(b"shares", b"parts")), ".vtt has different sentences"),
    "cues out of order": (damage(".vtt", swap_cues), ".vtt has cues that are out of order"),
    "a cue too few": (damage(".vtt", lambda data: data[: data.rindex(b"\n\n")] + b"\n"), ".vtt goes from 0.00 to "),
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
    assert sentence in check(course)


def test_a_week_has_all_of_its_audio_or_none(course):
    folder = script(course).parent
    for path in [*folder.glob("*.mp3"), *folder.glob("*.vtt")]:
        path.unlink()
    edit_manifest(lambda segments: segments.pop(SECOND))(course)
    assert ".mp3 is missing" in check(course)
    edit_manifest(lambda segments: segments.clear())(course)
    assert check(course) == ""


def test_a_course_without_narration_promises_no_audio(course):
    mp3(course).unlink()
    assert check(configure(course.root, narration="")) == ""
