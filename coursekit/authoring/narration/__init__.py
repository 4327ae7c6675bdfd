"""Scripts -> audio: `narration/<week>/NN_slug.md` to NN_slug.mp3 with cues, and a manifest of what belongs together.

station    what has to be made again, making it, telling of it
settings   what course.toml says
script     a script's paragraphs and sentences
lexicon    how a teacher says what is written
voices/    the engines: Kokoro, Piper, espeak-ng, any command
recording  an instructor's own voice in place of an engine
sound      silence, pauses, loudness
files      the mp3 and the cues, written and read
manifest   what each file was made from, and its hashes
hearing    what an offline recogniser understands of it
archive    all of it as one file, packed, fetched from mirrors and put in place
fetch      one download that cannot hang
"""

MISSING = "Narration needs the extra `lesson`, and {name} is not installed: pip install 'coursekit[lesson]'."
