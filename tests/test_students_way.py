"""From the badge's notebook to the mark, as a student goes it: a published course in JupyterLab, in a real browser."""

import json
import re
import shutil
import subprocess

import pytest
from command import course_program
from jupyter_lab import PLAYED, TOKEN, served
from small_course import ROOT

from coursekit.authoring.narration.manifest import read_manifest
from coursekit.course.config import open_course
from coursekit.engine.shared.master import TEST

ANSWER = """def softmax(x, axis=-1):
    x = np.asarray(x)
    if x.dtype.kind != "f":
        x = x.astype(np.float64)
    largest = x.max(axis=axis, keepdims=True)
    powers = np.exp(x - np.where(np.isfinite(largest), largest, 0))
    return powers / powers.sum(axis=axis, keepdims=True)
"""


def course_command(*arguments, cwd):
    done = course_program(cwd, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr


def fill_cell(page, marker, text):
    """Replace the text of the cell that holds a marker, as a student does: click, select all, type."""
    editor = page.locator(".jp-Notebook .jp-CodeCell .cm-content", has_text=marker).first
    editor.scroll_into_view_if_needed()
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_publish_open_answer_hand_in_grade(tmp_path, chromium):
    """An instructor publishes; a student clones, listens, answers one question, hands in; that very file is graded."""
    course, bare, home = tmp_path / "course", tmp_path / "bare.git", tmp_path / "home"
    home.mkdir()
    shutil.copytree(ROOT, course, ignore=shutil.ignore_patterns(".*", "demo", "submitted", "autograded"))
    settings = course / "course.toml"
    text = settings.read_text(encoding="utf-8").replace('"your-name"', '"someone"')
    first = 'title = "Scaled dot-product attention"\n'
    assert first in text
    text = text.replace(first, first + 'deadline = "Sunday, 7 March, 23:59"\n').replace("demo = true\n", "")
    settings.write_text(text, encoding="utf-8")
    git = ["git", "-c", "user.name=An instructor", "-c", "user.email=instructor@example.org"]
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", bare], check=True)
    subprocess.run(["git", "clone", "--quiet", bare, tmp_path / "students"], check=True, capture_output=True)
    course_command("release", "--no-gradebook", cwd=course)
    course_command("publish", str(tmp_path / "students"), cwd=course)
    for arguments in (["add", "--all"], ["commit", "--quiet", "-m", "Week 1"], ["push", "--quiet"]):
        subprocess.run([*git, *arguments], cwd=tmp_path / "students", check=True, capture_output=True)
    subprocess.run(["git", "clone", "--quiet", bare, tmp_path / "mine"], check=True)

    week = open_course(course).weeks[0]
    folder = tmp_path / "mine" / week.name
    title = json.loads((folder / "attention.ipynb").read_text(encoding="utf-8"))["cells"][0]
    assert "by Sunday, 7 March, 23:59." in " ".join("".join(title["source"]).split())
    with served(tmp_path / "mine", home) as address:
        page = chromium.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(60_000)
        page.goto(f"{address}/lab/tree/{week.name}/attention.ipynb?token={TOKEN}")
        page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        fill_cell(page, "week 1, softmax: write this function", ANSWER)
        page.keyboard.press("Control+End")
        fill_cell(page, 'student_id = ""', 'student_id = "s07"\nhand_in(student_id)')
        page.keyboard.press("Control+s")
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        # The receipt is printed first; on a busy machine the rest is on its way when that is on the page.
        said = page.locator(
            ".jp-OutputArea-output", has_text=re.compile("Its receipt is.*Nothing is", re.S)
        ).last
        said.wait_for(timeout=240_000)
        words = said.inner_text()
        assert page.locator("audio").count() == 9
        heard = page.locator("audio").first.evaluate(PLAYED)
        page.close()
    seconds = read_manifest(ROOT / "narration")[f"{week.name}/01_introduction"].seconds
    assert abs(heard["seconds"] - seconds) < 0.2 and heard["heard"] > 0.3, heard
    assert heard["from"].startswith(f"{address}/files/narration/{week.name}/01_introduction.mp3")
    receipt = re.search(r"Its receipt is ([0-9a-f]{12})", words)[1]
    assert "All " not in words and "attention_worked (not done)" in words and "softmax_rows" not in words
    assert "Nothing is written yet in: why_three." in words

    made = folder / f"{week.name}__s07.ipynb"
    place = course / "submitted" / "s07" / week.name
    place.mkdir(parents=True)
    shutil.copy(made, place)
    course_command("grade", week.name, cwd=course)
    course_command("feedback", week.name, cwd=course)
    result = json.loads((course / "autograded" / "s07" / week.name / "result.json").read_text())
    scores = {question["id"]: question["score"] for question in result["questions"]}
    assert scores["softmax"] == 6 and scores["attention"] == 0, scores
    assert list(result["receipts"].values()) == [receipt]
    page = (course / "feedback" / "s07" / week.name / "attention.html").read_text(encoding="utf-8")
    assert receipt in page
    tests = [cell for cell in open_course(course).master(week).cells if cell.role == TEST]
    assert len(result["tests"]) == len(tests)
