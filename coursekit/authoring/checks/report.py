"""What a check found."""

from dataclasses import dataclass, field


@dataclass
class Report:
    """What holds and what does not, in sentences, and the week's counts."""

    facts: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    counts: dict[str, float] = field(default_factory=dict)  # {"questions": 6, "seconds": 6.4, ...}
    left_out: list[str] = field(default_factory=list)  # what was not looked at

    def add(self, fact: str, problems: list[str]) -> None:
        """`fact` holds unless there are problems."""
        self.problems += problems
        if not problems:
            self.facts.append(fact)
