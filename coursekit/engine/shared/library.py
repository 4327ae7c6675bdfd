"""The library whose values a course is about: what the engine does for it, beside plain Python and numpy.

There is one such object in each process, `current`. Without more it does nothing. The fork servers put another in its
place before anything of a student's runs, where the course has them import that library: `tensors` has torch's.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from coursekit.engine.shared.frames import WireError


class Library:
    """One library's part in the engine; this one is for courses that need none."""

    def warm_up(self) -> None:
        """Called once in the server that all others are forked from, which nobody uses before it is done."""

    def practise(self) -> None:
        """Called once in each server, in a moment in which nobody asks: pay for what few forks need at once."""

    def prepare_kernels(self) -> None:
        """Called in the server that student kernels are forked from: before the first, and after `practise`."""

    def start_kernel(self) -> None:
        """Called in each student kernel, before the notebook runs."""

    def pack(self, value: Any, keep_grad: bool) -> tuple[int, Any] | None:
        """A value of the library as an extension code of `wire` and plain data; None for any other value."""
        return None

    def restore(self, code: int, value: Any) -> Any:
        """The value behind what `pack` gave, checked: it may come from an enemy.

        Raises:
            WireError: the code is not the library's, or the data are not well-formed.
        """
        raise WireError(f"unknown extension {code}")

    def fresh_modes(self) -> AbstractContextManager[None]:
        """The library as the examiner has it, whatever the notebook has set for itself."""
        return nullcontext()

    def same_chance(self) -> None:
        """Have the library's random numbers begin alike."""

    def kept_chance(self) -> AbstractContextManager[None]:
        """The library's random numbers go on afterwards where they had stopped."""
        return nullcontext()

    def other_ways(self, names: Iterable[str]) -> dict[str, list[Any]]:
        """What does the same work as ready-made functions: {name: [`student.from_scratch.Way`]}."""
        return {}

    def refusing(self, places: dict[Any, Callable[..., Any]]) -> AbstractContextManager[None]:
        """Have these places of the library's own tables, see `from_scratch.Work`, call what refuses."""
        return nullcontext()

    def compute(
        self, calls: Any, target: list[Any], positional: tuple[Any, ...], named: dict[str, Any]
    ) -> Any:
        """In the student kernel: call a function of the reference definitions."""
        return calls.call(target, {}, [], list(positional), named, [])[1]

    def reference_class(self, calls: Any, name: str) -> type:
        """In the student kernel: what stands there for a class of the reference definitions."""
        raise TypeError(f"{name} is a class: later questions cannot build on it")

    def definitions_class(self, definitions: type) -> type:
        """In the examiner: `examiner.reference_definitions.Definitions`, or its subclass for this library."""
        return definitions


current = Library()


def use(library: Library) -> None:
    """Called once in a process, before anything of a student's runs."""
    global current
    current = library
