"""The support for the library that a course is about, in addition to plain Python and numpy.

Each process has one such object, `current`, which supports no library by default. Where a course's kernels import
torch, the fork servers replace it by `supervisor.torch_library.Torch` before any student code runs.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from coursekit.engine.shared.frames import WireError


class Library:
    """The engine's support for one library; this base class is for courses without one."""

    def warm_up(self) -> None:
        """Prepare the server of student kernels, before the server of examiners is forked from it."""

    def warm_up_late(self) -> None:
        """Prepare the servers of kernels and examiners further: slow work, for which the coordinator does not wait."""

    def prepare_kernels(self) -> None:
        """Refuse in all kernels what none may use; called before `warm_up_late` and again after it, for new modules."""

    def start_kernel(self) -> None:
        """Prepare a student kernel, before the notebook runs."""

    def pack(self, value: Any, keep_requires_grad: bool) -> tuple[int, Any] | None:
        """Return a value of the library as an extension code of `wire` and plain data; None for any other value.

        Args:
            keep_requires_grad: also pack whether a tensor requires gradients.
        """
        return None

    def restore(self, code: int, value: Any) -> Any:
        """Return the value that `pack` packed, after checks, since it may come from hostile code.

        Raises:
            WireError: the code is not the library's, or the data are not well-formed.
        """
        raise WireError(f"unknown extension {code}")

    def default_modes(self) -> AbstractContextManager[None]:
        """Return a context with the library's default modes, as in the examiner, whatever the notebook has set."""
        return nullcontext()

    def seed_rngs(self) -> None:
        """Seed the library's random generator."""

    def preserved_rng_state(self) -> AbstractContextManager[None]:
        """Return a context at whose end the library's random generator is restored."""
        return nullcontext()

    def equivalents(self, names: Iterable[str]) -> dict[str, list[Any]]:
        """Return {name: its blocked equivalents (`from_scratch.BlockedEquivalent`)} for functions of these names."""
        return {}

    def blocking(self, entries: dict[Any, Callable[..., Any]]) -> AbstractContextManager[None]:
        """Return a context in which these entries of the library's dispatch table have these replacements."""
        return nullcontext()

    def compute(self, calls: Any, name: str, positional: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """In the student kernel: return what a function of the reference definitions returns in the examiner."""
        # `calls` is a `ReferenceCalls`. A function has no state, no training modes and no tensors with gradients.
        _, result = calls.call([name], {}, [], list(positional), named, [])
        return result

    def reference_class(self, calls: Any, name: str) -> type:
        """In the student kernel: return the class that stands for a class of the reference definitions."""
        raise TypeError(f"{name} is a class: later questions cannot build on it")

    def definitions_class(self, definitions: type) -> type:
        """In the examiner: return `examiner.reference_definitions.Definitions`, or its subclass for this library."""
        return definitions


current = Library()


def use(library: Library) -> None:
    """Set the process's library; called once, before any student code runs."""
    global current
    current = library
