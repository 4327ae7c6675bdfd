"""An instructor's own voice: `NN_slug.recording.wav` (or .flac, .mp3, .ogg) beside the script is taken.

The recording itself is only read. What is made of it is never replaced by a synthetic voice.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path

from coursekit.authoring.narration.files import decode
from coursekit.authoring.narration.script import Sentence
from coursekit.authoring.narration.sound import Sound, Span, at_rate, trim
from coursekit.authoring.narration.transcription import Heard, words_of
from coursekit.engine.shared.errors import CourseError

KINDS = (".wav", ".flac", ".mp3", ".ogg", ".aiff")
OTHER_TEXT = 0.2  # of the words: nobody misreads so many, so it is another script


def find_recording(script: Path) -> Path | None:
    """The recording of this script, if there is one.

    Raises:
        CourseError: there are several, or one of a kind that cannot be read.
    """
    found = sorted(script.parent.glob(f"{script.stem}.recording.*"))
    if len(found) > 1:
        raise CourseError(
            f"{script.stem} has several recordings: {', '.join(path.name for path in found)}. Keep one."
        )
    if found and found[0].suffix.lower() not in KINDS:
        raise CourseError(f"{found[0].name} cannot be read: save it as one of {', '.join(KINDS)}.")
    return found[0] if found else None


def read_recording(data: bytes, name: str) -> Sound:
    """At this course's rate, without silence around it.

    Raises:
        CourseError: it is no sound, or silent.
    """
    try:
        sound = trim(at_rate(decode(data)))
    except CourseError as error:
        raise CourseError(f"{name}: {error}.") from error
    return sound


def compare(text: str, heard: Heard, name: str) -> None:
    """What was recorded must be what the script says.

    Raises:
        CourseError: it is another text.
    """
    if heard.error_rate(text) > OTHER_TEXT:
        raise CourseError(
            f"{name} is not this script, as far as can be heard: {100 * heard.error_rate(text):.0f} % of the words "
            f"differ. It begins {' '.join(word.text for word in heard.words[:8])!r}."
        )


def spans(parts: Sequence[Sentence], sound: Sound, heard: Heard | None) -> list[Span]:
    """When each sentence is heard: where its first word was recognised, otherwise in proportion to its letters."""
    lengths = [len(sentence.text) for sentence in parts]
    begins = [sound.seconds * sum(lengths[:number]) / sum(lengths) for number in range(len(parts))]
    if heard is not None:
        begins = _heard_begins(parts, heard, begins)
    ends = [*begins[1:], sound.seconds]
    return [Span(begin, end, sentence.text) for sentence, begin, end in zip(parts, begins, ends, strict=True)]


def _heard_begins(parts: Sequence[Sentence], heard: Heard, reckoned: list[float]) -> list[float]:
    written = [words_of(sentence.text) for sentence in parts]
    flat = [word for words in written for word in words]
    said = [(word.begin, piece) for word in heard.words for piece in words_of(word.text)]
    match = SequenceMatcher(None, flat, [piece for _, piece in said], autojunk=False)
    times = {
        block.a + step: said[block.b + step][0]
        for block in match.get_matching_blocks()
        for step in range(block.size)
    }
    begins, first = [0.0], 0
    for number, words in enumerate(written[:-1]):
        first += len(words)
        begins.append(max(begins[-1], times.get(first, reckoned[number + 1])))
    return begins
