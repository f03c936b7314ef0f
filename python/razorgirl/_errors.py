"""The exception that operations raise."""

from __future__ import annotations

from typing import Any


class _Recorded:
    """What is left of a refusal that came from another process."""

    def __init__(self, message: str, code: str, position: int | None, witness: Any, help: tuple[str, ...]) -> None:
        self.message, self.code, self.position, self.witness, self._help = message, code, position, witness, help

    def help(self) -> tuple[str, ...]:
        return self._help


class LayoutError(ValueError):
    """No correct result exists, or an argument is invalid.

    ``code`` is the kind of error, such as ``"carries"``. ``witness`` is a proof that no result exists, if the operation gives one.
    ``help`` says what to change; each suggestion in it has been run. A traceback shows the help below the message. A
    ``LayoutError`` that your own code raises with a message has the code "" and no help.
    """

    def __init__(self, refused: Any) -> None:
        if isinstance(refused, str):
            refused = _Recorded(refused, "", None, None, ())
        super().__init__(refused.message)
        self._refused = refused
        self._help: tuple[str, ...] | None = None
        self._added: list[str] = []

    @property
    def code(self) -> str:
        return str(self._refused.code)

    @property
    def witness(self) -> dict[str, Any] | None:
        witness: dict[str, Any] | None = self._refused.witness
        return witness

    @property
    def position(self) -> int | None:
        """The byte at which a text argument is malformed."""
        position: int | None = self._refused.position
        return position

    @property
    def help(self) -> tuple[str, ...]:
        """What to change, one sentence each. Suggestions are run when this is first read."""
        if self._help is None:
            self._help = tuple(self._refused.help())
        return self._help

    # Python prints the notes of an exception below its message. Help runs suggestions, which takes longer than most operations:
    # it is made when a traceback reads the notes, not when the error is raised.
    @property
    def __notes__(self) -> list[str]:  # type: ignore[override]
        return [f"help: {line}" for line in self.help] + self._added

    def add_note(self, note: str, /) -> None:
        """As of every exception: a note below the help."""
        if not isinstance(note, str):
            raise TypeError(f"note must be a str, not '{type(note).__name__}'")
        self._added.append(note)

    def __reduce__(self) -> tuple[Any, ...]:
        return _recorded, (str(self), self.code, self.position, self.witness, self.help)


def _recorded(*parts: Any) -> LayoutError:
    return LayoutError(_Recorded(*parts))


def refusal(code: str, message: str) -> LayoutError:
    """A refusal that is found in Python."""
    return _recorded(message, code, None, None, ())
