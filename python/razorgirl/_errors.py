"""The exception of every refusal."""

from __future__ import annotations

from typing import Any


class _Recorded:
    """What is left of a refusal that came from another process."""

    def __init__(self, message: str, code: str, position: int | None, witness: Any, help: tuple[str, ...]) -> None:
        self.message, self.code, self.position, self.witness, self._help = message, code, position, witness, help

    def help(self) -> tuple[str, ...]:
        return self._help


class LayoutError(ValueError):
    """A refusal: no answer would be right, or the request is at fault.

    ``code`` says why, for a program; ``witness`` shows that nothing but a refusal is right, where that is told; ``help``
    says what to do about it. Each suggestion in it has been run; that happens when ``help`` is asked for. One that a program
    of yours raises with a text of its own has the code "".
    """

    def __init__(self, refused: Any) -> None:
        if isinstance(refused, str):
            refused = _Recorded(refused, "", None, None, ())
        super().__init__(refused.message)
        self._refused = refused

    @property
    def code(self) -> str:
        return str(self._refused.code)

    @property
    def witness(self) -> dict[str, Any] | None:
        witness: dict[str, Any] | None = self._refused.witness
        return witness

    @property
    def position(self) -> int | None:
        """The byte of a text at fault, where one cannot be read."""
        position: int | None = self._refused.position
        return position

    @property
    def help(self) -> tuple[str, ...]:
        help: tuple[str, ...] = self._refused.help()
        return help

    def __reduce__(self) -> tuple[Any, ...]:
        return _recorded, (str(self), self.code, self.position, self.witness, self.help)


def _recorded(*parts: Any) -> LayoutError:
    return LayoutError(_Recorded(*parts))


def refusal(code: str, message: str) -> LayoutError:
    """A refusal that is found in Python."""
    return _recorded(message, code, None, None, ())
