"""An instructor's own voice: `NN_slug.recording.wav` (or .flac, .mp3, .ogg, .aiff) beside the script is used.

The recording itself is only read, and no synthetic voice replaces the audio made from it.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path

from coursekit.authoring.narration.files import decode
from coursekit.authoring.narration.script import Sentence
from coursekit.authoring.narration.sound import Cue, Sound, trimmed
from coursekit.authoring.narration.transcription import Transcription, normalized_words
from coursekit.engine.shared.errors import CourseError

KINDS = (".wav", ".flac", ".mp3", ".ogg", ".aiff")
MAX_ERROR_RATE = 0.2  # of the words: nobody misreads more, so it is a different script


def find_recording(script: Path) -> Path | None:
    """Return the recording of this script, None if there is none; raise CourseError for several or another kind."""
    recordings = sorted(script.parent.glob(f"{script.stem}.recording.*"))
    if len(recordings) > 1:
        raise CourseError(
            f"{script.stem} has several recordings: {', '.join(path.name for path in recordings)}. Keep one."
        )
    if recordings and recordings[0].suffix.lower() not in KINDS:
        raise CourseError(f"{recordings[0].name} cannot be read: save it as one of {', '.join(KINDS)}.")
    return recordings[0] if recordings else None


def read_recording(data: bytes, name: str) -> Sound:
    """Return the recording at the rate of all audio, `sound.RATE`, without silence around it."""
    try:
        return trimmed(decode(data))
    except CourseError as error:
        raise CourseError(f"{name}: {error}.") from error


def compare(text: str, transcription: Transcription, name: str) -> None:
    """Raise CourseError if a recording is of a different text from the script's."""
    error_rate = transcription.error_rate(text)
    if error_rate > MAX_ERROR_RATE:
        raise CourseError(
            f"{name} is not this script, as far as can be heard: {100 * error_rate:.0f} % of the words "
            f"differ. It begins {' '.join(word.text for word in transcription.words[:8])!r}."
        )


def cues(parts: Sequence[Sentence], sound: Sound, transcription: Transcription | None) -> list[Cue]:
    """Return a cue for each sentence, from its first word if this was recognised, else in proportion to letters."""
    lengths = [len(sentence.text) for sentence in parts]
    begins = [sound.seconds * sum(lengths[:number]) / sum(lengths) for number in range(len(parts))]
    if transcription is not None:
        times = _recognised(parts, transcription)
        for number in range(1, len(parts)):
            begins[number] = max(begins[number - 1], times.get(number, begins[number]))
    ends = [*begins[1:], sound.seconds]
    return [Cue(begin, end, sentence.text) for sentence, begin, end in zip(parts, begins, ends, strict=True)]


def _recognised(parts: Sequence[Sentence], transcription: Transcription) -> dict[int, float]:
    """Return {number of a sentence: seconds at which its first word begins}, where this word was recognised."""
    written = [normalized_words(sentence.text) for sentence in parts]
    heard = [(piece, word.begin) for word in transcription.words for piece in normalized_words(word.text)]
    match = SequenceMatcher(None, sum(written, []), [piece for piece, _ in heard], autojunk=False)
    times = {
        block.a + step: heard[block.b + step][1]
        for block in match.get_matching_blocks()
        for step in range(block.size)
    }
    firsts = (sum(map(len, written[:number])) for number in range(len(parts)))
    return {number: times[first] for number, first in enumerate(firsts) if first in times}
