"""Events, commands and prompts as a person says them, from the words in `words.toml`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

import msgspec

from controller.decisions import Command
from controller.events import AnyEvent
from controller.narrate import place_words

Texts = Mapping[str, str]

_YES: Final = {True: "yes", False: "no"}
_SHOWN_AT: Final = {"door": "door", "keypad": "keypad"}


class WordsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in `words.toml`: a text for each kind, or several of which the field `by` chooses."""

    event: dict[str, str | dict[str, str]]
    heard: dict[str, str]
    command: dict[str, str]
    facing: dict[str, str]
    way: dict[str, str]
    place: dict[str, str]
    heading: dict[str, str]
    proof: dict[str, str]
    step: dict[str, str]
    ordinary: dict[str, tuple[str, ...]]
    page: dict[str, str]


@dataclass(frozen=True)
class Words:
    """The words of one language."""

    file: WordsFile

    def event(self, event: AnyEvent) -> str:
        """What happened. Hidden cards are not in it, whatever is known of them."""
        text = self.file.event[str(event.__struct_config__.tag)]
        if not isinstance(text, str):
            chooses = getattr(event, text["by"])
            text = text[_YES[chooses] if isinstance(chooses, bool) else str(chooses)]
        fields = {name: getattr(event, name) for name in event.__struct_fields__ if name not in event.HIDDEN}
        seat = fields.get("seat")
        return text.format(
            **{name: self._said(name, value) for name, value in fields.items() if name != "at"},
            at=f" at seat {seat}" if seat else "",
            shown=_SHOWN_AT.get(str(fields.get("at")), ""),
        )

    def _said(self, name: str, value: object) -> object:
        match name:
            case "place":
                return self.place(str(value))
            case "places" if isinstance(value, tuple):
                return ", ".join(map(self.place, value)) or "no place"
            case "facing":
                return self.file.facing.get(str(value), "")
            case "way":
                return self.file.way[str(value)]
            case _:
                return value

    def place(self, place: str) -> str:
        """A place, as where something lies."""
        return self.file.place.get(place) or place_words(place)

    def heard(self, name: str) -> str:
        """What a device said that means nothing to the table."""
        return self.file.heard.get(name, name.lower().replace("_", " "))

    def command(self, command: Command) -> str:
        """What a machine is told."""
        return f"the {command.device} is told to " + self.file.command[command.command].format(
            cards=command.cards
        )

    def page(self, name: str, **fields: object) -> str:
        """A sentence of the page that explains a hand."""
        return self.file.page[name].format(**fields)

    def is_ordinary(self, prompt: str) -> bool:
        """Whether a prompt, by its code, is one of ordinary play."""
        return prompt in self.file.ordinary["prompts"]


@lru_cache
def words() -> Words:
    """The words that come with the product."""
    source = files("controller.audit").joinpath("words.toml").read_bytes()
    return Words(msgspec.toml.decode(source, type=WordsFile))
