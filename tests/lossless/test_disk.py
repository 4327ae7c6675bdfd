"""A full disk: a sentence, nothing half-written, nothing lost, and the next run completes."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from folder import RIGHT, WRONG, by_people, files, gradebook, hand_in, mark_as_a_person, results, run
from small_course import HIDDEN, edit, make_course

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]
PICTURES = {"double": "print('x' * 300_000)\n" + RIGHT["double"]}  # a graded notebook of some size


@pytest.fixture
def mounted():
    """mounted(folder, MiB): a file system of its own there. Fails, and does not skip, where that is not allowed."""
    there = []

    def mount(folder: Path, size: str) -> Path:
        folder.mkdir(exist_ok=True)
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True, text=True
        )
        if done.returncode:
            pytest.fail(f"This test needs a small file system, so run it as root: {done.stderr}")
        there.append(folder)
        return folder

    yield mount
    for folder in there:
        subprocess.run(["umount", "--lazy", folder], check=True)
        folder.rmdir()


def first_part(course):
    for number in range(6):
        hand_in(course, f"s{number}", (RIGHT, WRONG)[number % 2])


def second_part(course):
    """Everybody hands in again, with more output, and a test is edited."""
    edit(course, "double-hidden", source=HIDDEN.replace("-3", "-4").replace("-6", "-8"))
    for number in range(6):
        hand_in(course, f"s{number}", PICTURES)


def fill_up(folder: Path, leave: int) -> Path:
    """Take what is free there, but for so many bytes."""
    free = os.statvfs(folder)
    (folder / "ballast").write_bytes(bytes(free.f_bavail * free.f_frsize - leave))
    return folder / "ballast"


def graded_and_handed_in_again(root):
    """A course folder in which everybody is to be graded again."""
    course, _ = make_course(root)
    first_part(course)
    assert run(course, "grade")[0] == 0
    mark_as_a_person(course, "s1", 2.5)
    second_part(course)
    return course


def test_the_course_folder_is_full(mounted, tmp_path):
    (tmp_path / "undisturbed").mkdir()
    undisturbed = graded_and_handed_in_again(tmp_path / "undisturbed")
    assert run(undisturbed, "grade")[0] == 0
    root = mounted(tmp_path / "course", "16m")
    course = graded_and_handed_in_again(root)
    old, book, people = files(course), gradebook(course), by_people(course)
    ballast = fill_up(root, 900_000)  # room for one or two graded notebooks
    code, _, errors = run(course, "grade", "--workers", "1")
    assert code == 2 and "No space left on device" in errors and "Make room" in errors, errors
    assert "Traceback" not in errors
    new = files(course)
    changed = {path for path in old if new[path] != old[path]}
    assert set(new) == set(old) and 0 < len(changed) < len(old), "each file is the old one or the new one"
    assert {len([path for path in changed if student in path]) for student in results(course)} == {0, 2}
    ballast.unlink()
    assert gradebook(course) == book and by_people(course) == people
    assert run(course, "grade")[0] == 0
    assert (files(course), gradebook(course)) == (files(undisturbed), gradebook(undisturbed))
    assert by_people(course) == people
    # Room for the results, none for the gradebook.
    (course.root / "gradebook.db").unlink()
    ballast = fill_up(root, 20_000)
    code, _, errors = run(course, "grade")
    assert code == 1 and "results are in autograded/" in errors and "disk is full" in errors, errors
    assert not list(root.glob("gradebook*")) and not list(root.glob(".gradebook*"))
    ballast.unlink()
    assert run(course, "grade")[0] == 0
    assert files(course) == files(undisturbed) and gradebook(course)["grade"]


def test_the_folder_for_temporary_files_is_full(mounted, tmp_path):
    course, _ = make_course(tmp_path)
    first_part(course)
    temporary = mounted(Path("/tmp") / f"full{os.getpid()}", "400m")
    environment = os.environ | {"TMPDIR": str(temporary)}
    try:
        ballast = fill_up(temporary, 1_000_000)
        code, _, errors = run(course, "grade", env=environment)
        assert code == 2 and f"{temporary}," in errors and "Make room" in errors and "TMPDIR" in errors
        assert results(course) == {} and "Traceback" not in errors
        ballast.unlink()
        code, _, errors = run(course, "grade", env=environment)
        assert code == 0, errors
        assert {name: item.score for name, item in results(course).items()} == {
            f"s{number}": (5, 2)[number % 2] for number in range(6)
        }
    finally:
        left = list(temporary.iterdir())
        shutil.rmtree(temporary, ignore_errors=True)
    assert left == [], "nothing is left there"
