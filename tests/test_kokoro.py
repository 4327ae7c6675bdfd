"""The voice of what is committed: its packages install and speak, and what is not the checked package is refused.

The voice's own styles come from npm; here stand numbers in their place, so what is said sounds like nobody.
"""

import hashlib
import io
import json
import subprocess
import sys
import tarfile

import numpy as np
import pytest
from own_environment import extra, make_environment

from coursekit.authoring.narration.voices import VoiceMissing, kokoro

STYLES = (np.ones((510, 1, 256), np.float32) / 10).tobytes()
SPEAK = """
import json
from coursekit.authoring.narration.voices import find_voice
voice = find_voice("kokoro", {"voice": "af_nobody", "threads": 1})
sound = voice.say("Attention is all you [read](/ɹˈɛd/), and e to the d sub k.")
try:
    voice.say("No end, " * 200)
except Exception as error:
    text = "the wind, [read](/ɹˈɛd/), PyTorch"
    print(json.dumps([sound.rate, sound.seconds, voice._phonemes_of(text), str(error)]))
"""


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A user's cache in which nothing was downloaded yet: the path of the voices' package."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "coursekit" / kokoro.VOICES / "voices.tgz"


def package(*voices):
    """A package with these voices, as `npm pack` makes one."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name in (*(f"voices/{voice}.bin" for voice in voices), "package.json"):
            info = tarfile.TarInfo(f"package/{name}")
            info.size = len(STYLES)
            archive.addfile(info, io.BytesIO(STYLES))
    return data.getvalue()


@pytest.mark.slow
@pytest.mark.skipif(sys.version_info >= (3, 13), reason="misaki is there for Python up to 3.12")
def test_the_pinned_packages_speak(cache, tmp_path):
    """The extra `narrate` installs beside the course, the model has its hash, and words become sound."""
    cache.parent.mkdir(parents=True)
    cache.write_bytes(package("af_nobody"))
    python = make_environment(tmp_path / "venv", *extra("narrate"))
    done = subprocess.run([python, "-c", SPEAK], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rate, seconds, phonemes, refused = json.loads(done.stdout.splitlines()[-1])
    assert rate == 24_000 and 1 < seconds < 20
    assert phonemes == "ðə wˈɪnd, ɹˈɛd, pˈI tˈɔɹʧ"
    assert "sounds are too many for one sentence" in refused


def test_voices_come_from_npm_once(cache, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(VoiceMissing, match="and npm is not installed"):
        kokoro._style("af_heart")
    npm = tmp_path / "bin" / "npm"
    npm.parent.mkdir()
    monkeypatch.setenv("PATH", f"{npm.parent}:/usr/bin:/bin")
    npm.write_text("#!/bin/sh\necho 'no such package' >&2\nexit 1\n")
    npm.chmod(0o755)
    with pytest.raises(VoiceMissing, match="failed: no such package"):
        kokoro._style("af_heart")
    packed = tmp_path / "packed"
    packed.write_bytes(package("af_heart", "am_adam"))
    npm.write_text(f'#!/bin/sh\ncase "$3" in kokoro-js@*) cp {packed} kokoro-js.tgz;; esac\n')
    with pytest.raises(VoiceMissing, match="is not the package that was checked"):
        kokoro._style("af_heart")
    assert not cache.exists()
    monkeypatch.setattr(kokoro, "VOICES_HASH", hashlib.sha256(packed.read_bytes()).hexdigest())
    assert kokoro._style("af_heart") == STYLES
    packed.unlink()
    assert kokoro._style("am_adam") == STYLES  # without npm
    with pytest.raises(VoiceMissing, match="Kokoro has no voice 'af_nobody'. It has: af_heart, am_adam."):
        kokoro._style("af_nobody")
