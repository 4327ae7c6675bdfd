"""Stand-ins: the student's names, as a test cell sees them.

A call, an attribute, an item, an iteration or a length is evaluated in the student kernel, and the value comes back as
plain data or as another stand-in. Comparisons, truth and arithmetic are refused here, because the student's object
could answer anything.
"""

import hashlib
import socket
from collections.abc import Callable, Iterator
from typing import Any

from coursekit.engine.examiner.trace import Trace
from coursekit.engine.shared import builtin_errors, frames, wire

MAX_CALLBACK_DEPTH = 20


class StudentError(Exception):
    """Mixed into every exception that stands for one raised by the student's code."""

    where = ""  # the line of the student's cell
    original = ""  # the name of the exception's class in the student kernel


class UndefinedName(NameError):
    """A test uses a name that the student's notebook never defined."""

    def __init__(self, undefined: str):
        super().__init__(f"name {undefined!r} is not defined")
        self.undefined = undefined


class Session:
    """The examiner's end of one test's conversation with the student kernel.

    Attributes:
        trace: record of the values that came back.
        broken: the student kernel is gone, or has sent bytes that break the protocol.
        shared_limit: the student kernel has reported that its code met a limit that all processes of the machine share.
        requests: hash of the requests that were sent.
    """

    def __init__(self, connection: socket.socket):
        self.trace, self.broken, self.shared_limit = Trace(), False, False
        self.requests = hashlib.sha256()
        self._connection = connection
        self._functions: list[Callable[..., Any]] = []
        self._depth = 0
        self._codec = wire.Codec(self._refer, self._resolve, keep_requires_grad=True)

    def names(self, names: list[str]) -> dict[str, Any]:
        """Return the student's values of these global names: plain data, stand-ins, or `Missing`."""
        values = self.ask("names", names)
        if type(values) is not dict or not set(values) <= set(names):
            self.broken = True
            raise frames.WireError("an unexpected answer to `names`")
        for name in names:
            self.trace.add_value(values.get(name))
        return {name: values.get(name, Missing(name)) for name in names}

    def use_references(self, kinds: dict[str, tuple[str, Any]], services: list[Callable[..., Any]]) -> None:
        """Have names stand for the reference definitions until the conversation ends.

        Args:
            kinds: {name: (FUNCTION, MODULE or VALUE, and the value itself of a VALUE)}.
            services: functions of the examiner that make, call and differentiate them for the student kernel.
        """
        self.ask("references", kinds, *services)

    def define(self, source: str, name: str, names: list[str]) -> Any:
        """Return a stand-in for a probe, which runs in the student kernel and may use these names of the student's."""
        return self.ask("define", source, name, names)

    def ask(self, action: str, *arguments: Any) -> Any:
        """Have the student kernel carry out an action, and return the value.

        Raises:
            StudentError: the student's code raised; the exception is also of the nearest builtin class.
            StopIteration: the action was `next`, and there is no next value.
            WireError: the reply breaks the protocol.
            EOFError, OSError: the student kernel is gone.
        """
        request = self._codec.encode([action, *arguments])
        self.requests.update(request)
        try:
            frames.send(self._connection, request)
            while True:
                reply = self._codec.decode(frames.receive(self._connection))
                match reply:
                    case ["ok", value]:
                        if action != "names":  # the method `names` adds each of its values
                            self.trace.add_value(value)
                        return value
                    case ["stop"] if action == "next":
                        raise StopIteration
                    case ["error", list() as names, str() as message, str() as where, bool() as shared_limit]:
                        self.shared_limit |= shared_limit
                        error = _student_error(names, message, where)
                        self.trace.add_exception(error.original, message)
                        raise error
                    case ["call", int() as number, list() as args, dict() as kwargs]:
                        self._call_back(number, args, kwargs)
                    case _:
                        raise frames.WireError("a reply that the protocol does not know")
        except StudentError:  # may be an OSError, too
            raise
        except (frames.WireError, EOFError, OSError):
            self.broken = True
            raise

    def done(self) -> None:
        """End the conversation, so that the student kernel drops the objects that it kept."""
        frames.send(self._connection, self._codec.encode(["done"]))

    def _call_back(self, number: int, args: list[Any], kwargs: dict[str, Any]) -> None:
        """Call a function of the test for the student's code."""
        if not 0 <= number < len(self._functions) or not all(type(key) is str for key in kwargs):
            raise frames.WireError("a call of a function that was not sent")
        if self._depth >= MAX_CALLBACK_DEPTH:
            raise frames.WireError("calls nested too deeply")
        self.trace.add_arguments([*args, *kwargs.values()])
        self._depth += 1
        try:
            answer = self._codec.encode(["return", self._functions[number](*args, **kwargs)])
        except Exception as error:  # of the function, or because its result cannot be sent
            if self.broken:
                raise
            answer = self._codec.encode(["raise", builtin_errors.names_of(error), str(error)])
        finally:
            self._depth -= 1
        frames.send(self._connection, answer)

    def _refer(self, value: Any) -> tuple[int, int, str]:
        if type(value) is StandIn:
            return wire.REFERENCE, object.__getattribute__(value, "_number"), ""
        if callable(value) and not isinstance(value, type):
            self._functions.append(value)
            return wire.FUNCTION, len(self._functions) - 1, getattr(value, "__name__", "function")
        raise TypeError(
            f"a {type(value).__name__} is not plain data: it cannot be handed to the student's code"
        )

    def _resolve(self, code: int, number: int, name: str) -> Any:
        if code != wire.REFERENCE or number < 0:
            raise frames.WireError("a function where only data is allowed")
        return StandIn(self, number, name)


class StandIn:
    """An object that stays in the student kernel. Its attributes are the student's, except those defined here."""

    __slots__ = ("_session", "_number", "_type")

    def __init__(self, session: Session, number: int, type_name: str):
        object.__setattr__(self, "_session", session)
        object.__setattr__(self, "_number", number)
        object.__setattr__(self, "_type", type_name)

    def _ask(self, action: str, *arguments: Any) -> Any:
        return object.__getattribute__(self, "_session").ask(action, self, *arguments)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("call", list(args), kwargs)

    def __getattr__(self, name: str) -> Any:
        # numpy, torch and copy look for their protocols under such names: the student must not supply them.
        if name.startswith("__"):
            raise AttributeError(name)
        return self._ask("getattr", name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._ask("setattr", name, value)

    def __getitem__(self, key: Any) -> Any:
        return self._ask("getitem", key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._ask("setitem", key, value)

    def __len__(self) -> int:
        length = self._ask("len")
        if type(length) is not int or not 0 <= length <= wire.MAX_ITEMS:
            raise TypeError("len() of the student's object is not a usable number")
        return length

    def __iter__(self) -> Iterator[Any]:
        iterator = self._ask("iter")
        while True:
            try:
                yield object.__getattribute__(iterator, "_ask")("next")
            except StopIteration:
                return

    def __repr__(self) -> str:
        return f"<the student's {object.__getattribute__(self, '_type')}>"

    def _refuse(self, *_: Any) -> Any:
        kind = object.__getattribute__(self, "_type")
        raise TypeError(
            f"this value is of type {kind}, not a number, list, array or tensor, so the test cannot compare it: "
            f"return plain data"
        )

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __contains__ = _refuse
    __int__ = __float__ = __complex__ = __index__ = __hash__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
    __matmul__ = __rmatmul__ = __pow__ = __neg__ = __abs__ = __and__ = __or__ = __invert__ = _refuse


class Missing:
    """A name that the student's notebook never defined."""

    def __init__(self, name: str):
        object.__setattr__(self, "_name", name)

    def _refuse(self, *_: Any, **__: Any) -> Any:
        name = object.__getattribute__(self, "_name")
        raise UndefinedName(name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse()

    __call__ = __getitem__ = __iter__ = __len__ = __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = (
        __ge__
    ) = _refuse
    __hash__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __float__ = __int__ = _refuse


def _student_error(names: list[Any], message: str, where: str) -> StudentError:
    """Return an exception of the nearest builtin class, marked as the student code's."""
    base = builtin_errors.nearest(names)
    error: StudentError = type(base.__name__, (StudentError, base), {})(message)
    error.where = where
    error.original = names[0][:100] if names and type(names[0]) is str else base.__name__
    return error
