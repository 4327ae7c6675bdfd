"""What is recorded of one result. Imported without nbgrader, which takes 1.7 s."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class GradebookEntry:
    """What is recorded of one result."""

    scores: dict[str, float | None]  # {graded cell: automatic score, None where a person decides}
    came: datetime | None  # when the submission came, in UTC without a zone
    penalty: float  # points that being late takes off
    status: str
    submission: str  # its hash
    flags: str  # digest of the flags and the submission
    flagged: bool
