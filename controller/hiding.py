"""Values that know which of their fields may tell a card that nobody may know yet."""

from typing import ClassVar

import msgspec


class Hiding(msgspec.Struct, frozen=True):
    """A value whose representation leaves its `HIDDEN` fields out, so that it may be logged."""

    HIDDEN: ClassVar[tuple[str, ...]] = ()

    def __rich_repr__(self) -> list[tuple[str, object]]:
        """The fields that may be shown: none of `HIDDEN`."""
        return [(name, getattr(self, name)) for name in self.__struct_fields__ if name not in self.HIDDEN]

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.__rich_repr__())
        return f"{type(self).__name__}({shown})"
