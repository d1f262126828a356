"""Reading one object of a file: keys that are known, values of the right type, errors with their place."""

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from hil_rigs.simulate.errors import ScenarioError, described, quoted

Word = TypeVar("Word", bound=str)


class Repeated(dict[str, object]):
    """An object of a file in which `key` stands twice."""

    def __init__(self, pairs: Sequence[tuple[str, object]], key: str) -> None:
        """Hold `pairs`, the later value of a repeated key winning, and remember `key`."""
        super().__init__(pairs)
        self.key = key


class Fields:
    """One object of a file. Every reader raises ScenarioError, with the place, for what does not fit."""

    def __init__(self, file: str, place: str, value: object, known: Sequence[str] | None) -> None:
        """Open `value`, which must be an object of `known` keys (None: any), each there at most once.

        Raises:
            ScenarioError: it is something else; a key is unknown (the nearest is named) or repeated.
        """
        self._file = file
        self._place = place
        if not isinstance(value, dict):
            raise self.error(f"must be an object, not {described(value)}")
        self._values: Mapping[str, object] = value
        if isinstance(value, Repeated):
            raise self.error(f"the key {quoted(value.key)} stands twice")
        for key in value:
            if known is not None and key not in known:
                raise self.error(f"unknown key {quoted(key)}; {nearest(key, known)}")

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def names(self) -> tuple[str, ...]:
        """Return the keys in the file's order."""
        return tuple(self._values)

    def place(self, key: str) -> str:
        """Return where in the file the value of `key` stands."""
        return f"{self._place}.{key}" if self._place else key

    def error(self, why: str, key: str | None = None) -> ScenarioError:
        """Return the error for this object, or for the value of `key` in it."""
        place = self._place or "top level"
        return ScenarioError(self._file, place if key is None else self.place(key), why)

    def raw(self, key: str) -> object:
        """Return the value of a key that must be there."""
        if key not in self._values:
            raise self.error(f"the key {quoted(key)} is missing")
        return self._values[key]

    def whole(self, key: str, default: int | None = None, *, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`; without a default the key must be there."""
        if default is not None and key not in self:
            return default
        return self.number(self.raw(key), key, low=low, high=high)

    def number(self, value: object, key: str, *, low: int, high: int) -> int:
        """Return `value`, found at `key`, as a whole number from `low` to `high`."""
        # To Python true is a number; to a scenario it is a mistake.
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.error(f"must be a whole number, not {described(value)}", key)
        if value < low:
            raise self.error(f"must be at least {low}, not {described(value)}", key)
        if value > high:
            raise self.error(f"must be at most {high}, not {described(value)}", key)
        return value

    def maybe_whole(self, key: str, *, low: int, high: int) -> int | None:
        """Return a whole number from `low` to `high`, or None where the key is not there."""
        return self.whole(key, low=low, high=high) if key in self else None

    def flag(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        value = self._values.get(key, default)
        if not isinstance(value, bool):
            raise self.error(f"must be true or false, not {described(value)}", key)
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string, of characters that can be written as UTF-8."""
        value = default if default is not None and key not in self else self.raw(key)
        if not isinstance(value, str):
            raise self.error(f"must be a string, not {described(value)}", key)
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise self.error("holds half of a character (a lone surrogate)", key)
        return value

    def path(self, key: str) -> Path:
        """Return the file that a string names, from the folder of the file that is read."""
        return Path(self._file).parent / self.text(key)

    def word(self, key: str, words: Sequence[Word], default: Word | None = None, what: str = "") -> Word:
        """Return one of `words`; `what` they are called, if not as the key."""
        if default is not None and key not in self:
            return default
        value = self.raw(key)
        if not isinstance(value, str):
            raise self.error(f"must be a string, not {described(value)}", key)
        for word in words:
            if word == value:
                return word
        raise self.error(f"unknown {what or key} {quoted(value)}; {nearest(value, words)}", key)

    def items(self, key: str) -> list[object]:
        """Return a list."""
        value = self.raw(key)
        if not isinstance(value, list):
            raise self.error(f"must be a list, not {described(value)}", key)
        return value

    def inner(self, key: str, known: Sequence[str] | None, *, default: bool = False) -> "Fields":
        """Return the object at `key`, an empty one by `default` where it is not there."""
        value = {} if default and key not in self else self.raw(key)
        return self.opened(value, key, known)

    def opened(self, value: object, key: str, known: Sequence[str] | None) -> "Fields":
        """Return the object `value`, found at `key`."""
        return Fields(self._file, self.place(key), value, known)


def nearest(word: str, words: Sequence[str]) -> str:
    """Return the advice for an unknown word: the known one that it resembles, or all of them."""
    near = difflib.get_close_matches(word[:64], words, n=1)
    if near:
        return f'did you mean "{near[0]}"?'
    return f"known: {', '.join(words)}" if words else "none is known here"
