"""Addresses in a week's notebook: the source names them, `course.toml` says where the students' repository is.

    {{colab}}      the released notebook on Colab
    {{narration}}  the script of a section; in a cell with `course.narration` in its metadata
    {{files}}      the folder in which the week's other files lie, as bytes, with a slash at its end
    {{week}}       the week's name
    {{deadline}}   until when it is handed in, in words

They are filled in when a master is read, so that the release, the grader and a student's notebook have the same text.
"""

import json
import re
from dataclasses import dataclass

from coursekit.errors import CourseError

PLACEHOLDER = "your-name"  # the owner in a course.toml that nobody has edited yet
NO_DEADLINE = "the date that your course has set"
TOKEN = re.compile(r"\{\{(colab|narration|files|week|deadline)\}\}")


@dataclass(frozen=True)
class Repository:
    """The students' repository on GitHub: what `course publish` fills, and badges lead to.

    `branch` may be a tag. `demo` allows the placeholder as the owner: the notebooks' links then lead nowhere.
    """

    owner: str
    name: str
    branch: str = "main"
    demo: bool = False

    def refuse_placeholder(self) -> None:
        """Raises CourseError: nobody has said yet where the students' repository is."""
        if self.owner == PLACEHOLDER and not self.demo:
            raise CourseError(
                f"course.toml: [repository] still has owner = {PLACEHOLDER!r}, so no link in the notebooks would lead "
                "anywhere. Write the owner and the name of the students' repository there. (demo = true allows the "
                "placeholder, to try things out.)"
            )

    def colab(self, week: str, notebook: str) -> str:
        """The released notebook, on Colab."""
        path = f"{self.owner}/{self.name}/blob/{self.branch}/{week}/{notebook}.ipynb"
        return f"https://colab.research.google.com/github/{path}"

    def page(self, path: str) -> str:
        """A file of the repository, as a page."""
        return f"https://github.com/{self.owner}/{self.name}/blob/{self.branch}/{path}"

    def files(self, folder: str) -> str:
        """A folder of the repository: with a file's name behind it, that file's bytes."""
        return f"https://raw.githubusercontent.com/{self.owner}/{self.name}/{self.branch}/{folder}/"

    def fill_in(self, data: bytes, week: str, notebook: str, deadline: str = "") -> bytes:
        """A source notebook's bytes with its addresses filled in; what is no notebook is left for others to refuse.

        Raises:
            CourseError: a cell asks for a narration and has none.
        """
        if b"{{" not in data:
            return data
        known = {
            "colab": self.colab(week, notebook),
            "files": self.files(week),
            "week": week,
            "deadline": deadline or NO_DEADLINE,
        }
        try:
            content = json.loads(data)
            for cell in content["cells"]:
                self._fill_in(cell, week, notebook, known)
        except (ValueError, KeyError, TypeError, AttributeError):
            return data
        return json.dumps(content, ensure_ascii=False, indent=1).encode() + b"\n"

    def _fill_in(self, cell: dict, week: str, notebook: str, known: dict[str, str]) -> None:
        source = cell.get("source", "")
        text = source if isinstance(source, str) else "".join(source)
        script = cell.get("metadata", {}).get("course", {}).get("narration", "")

        def address(token: re.Match) -> str:
            if token[1] in known:
                return known[token[1]]
            if not script:
                raise CourseError(
                    f"source/{week}/{notebook}.ipynb, cell {cell.get('id')}: {token[0]} stands in a cell without "
                    "course.narration in its metadata."
                )
            return self.page(f"narration/{week}/{script}.md")

        if (filled := TOKEN.sub(address, text)) != text:
            cell["source"] = filled
