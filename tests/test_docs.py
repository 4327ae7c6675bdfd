"""The examples of docs/package.md run, and print what they say."""

import contextlib
import io
import re

from small_course import ROOT

from coursekit.new.folder import make_folder


def test_the_examples_print_what_they_say(tmp_path, monkeypatch):
    text = (ROOT / "docs" / "package.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert len(examples) >= 6
    make_folder(tmp_path / "own")
    monkeypatch.chdir(tmp_path / "own")
    names = {}
    for example in examples:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(example, "docs/package.md", "exec"), names)
        wanted = [line[2:] for line in example.splitlines() if line.startswith("# ")]
        assert said.getvalue().splitlines() == wanted
