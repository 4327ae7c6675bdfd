"""What a student with a wrong answer reads, for people who judge whether it is true and leads to the mistake.

    .venv/bin/python benchmarks/messages.py WEEK [FOLDER]

Prints, for each answer in a folder, its code, its points, the probable cause or the message that its page quotes, and
what each failed test says. Without a folder, these are the wrong answers of the bank; each is then looked at as one
that the bank does not have. The files of a folder are named like those of the bank, `<question>_<slug>.py`. Answers
with full marks are listed at the end.
"""

import argparse
from pathlib import Path

from bs4 import BeautifulSoup

from coursekit.authoring.checks.answers import grade_all
from coursekit.course.bank import read_bank
from coursekit.course.config import open_course
from coursekit.deliver.feedback.page import render
from coursekit.engine.coordinator.grade import warm_modules
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.master import fill
from coursekit.engine.shared.result import PASSED
from coursekit.grading.diagnosis import known_mistakes


def main() -> None:
    """Grade the answers, each in a notebook of its own, and print what their pages say."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("week")
    parser.add_argument("folder", type=Path, nargs="?")
    chosen = parser.parse_args()
    course = open_course(Path.cwd())
    week = course.week(chosen.week)
    master = course.master(week)
    questions = {item.id: item for item in master.questions if not item.written}
    if chosen.folder:
        sources = {path.stem: path.read_text(encoding="utf-8") for path in sorted(chosen.folder.glob("*.py"))}
    else:
        sources = {answer.path.stem: answer.source for answer in read_bank(course, week) if not answer.right}
    # The longest question whose id begins the name: `attention_…` is no answer to `attention_head`, and the reverse.
    of = {name: max((q for q in questions if name.startswith(f"{q}_")), key=len) for name in sources}
    notebooks = [fill(master, master.solutions | {of[name]: source}) for name, source in sources.items()]
    with Servers(modules=warm_modules(master, course.limits)) as servers:
        graded = grade_all(course, master, servers, notebooks)
    mistakes = known_mistakes(course, week)
    full = []
    for (name, source), one in zip(sources.items(), graded, strict=True):
        question = next(item for item in one.result.questions if item.id == of[name])
        failed = [
            test for test in one.result.tests if test.question == question.id and test.outcome != PASSED
        ]
        if not failed:
            full.append(name)
            continue
        others = [mistake for mistake in mistakes if mistake.answer.source != source]
        page = BeautifulSoup(render(master, one.result, None, mistakes=others), "html.parser")
        title = question.title.replace("`", "")
        shown = next(item for item in page.select("ol.open > li") if item.a.get_text() == title)
        print(
            f"\n## {name}: {question.score:g} of {question.max_score:g} points\n\n```python\n{source.strip()}\n```\n"
        )
        print(
            "The page:",
            "\n".join(text.get_text(" ", strip=True) for text in shown.find_all("p", recursive=False)),
        )
        for test in failed:
            print(
                f"- {test.id}{' (hidden)' if test.hidden else ''}, {test.name}: {test.outcome}. {test.message}"
            )
    print(f"\n{len(sources) - len(full)} answers lost points; with full marks: {', '.join(full) or 'none'}.")


if __name__ == "__main__":
    main()
