"""A journal's entries in a line each, for whoever looks through it."""

from collections.abc import Iterator
from typing import Final

import msgspec

from controller.audit.words import Words
from controller.decisions import AnyDecision, Ask, Command, Deadline, Prompt
from controller.journal.records import Line, Record, record_of
from controller.narrate import line as narrated
from controller.notices import told
from controller.prompts.catalogue import Catalogue

_UNKNOWN: Final = "nothing that this version knows"


class Lister:
    """Words entries: number, time, source, what happened, and what followed."""

    def __init__(self, words: Words, prompts: Catalogue) -> None:
        self._words = words
        self._prompts = prompts

    def row(self, line: Line) -> str:
        """An entry in a line; what is sealed of it is not in it."""
        source = line.source.device if line.source is not None else ""
        happened, followed = self._said(line)
        behind = f" => {'; '.join(followed)}" if followed else ""
        return f"{line.n or '':>7} {short_time(line.at)} {source:<8} {happened}{behind}"

    def _said(self, line: Line) -> tuple[str, list[str]]:
        if line.file is not None:
            return f"file {line.file.number} of the journal begins", []
        if line.start is not None:
            how = "begins anew" if line.start.anew else "goes on where it was"
            return f"the table is started by cutcard {line.start.version} and {how}", []
        if line.stop is not None:
            return f"the table stops: {line.stop.why}", []
        if line.checkpoint is not None:
            return (
                f"all 52 cards of hand {line.checkpoint.hand} are proved: signed, with new keys from here on",
                [],
            )
        try:
            return self._entry(record_of(line, None))
        except msgspec.DecodeError:
            return _UNKNOWN, []

    def _entry(self, record: Record) -> tuple[str, list[str]]:
        if record.event is None:
            return self._words.heard(record.heard), []
        followed = [words for decision in record.decisions for words in self._followed(decision)]
        return self._words.event(record.event), followed

    def _followed(self, decision: AnyDecision) -> Iterator[str]:
        match decision:
            case Command():
                yield self._words.command(decision)
            case Prompt():
                worded = self._prompts.word(decision)
                yield " ".join(part for part in ("prompt:", worded.glyph, worded.text) if part)
            case Deadline():
                yield f"the {decision.device} has {decision.ms} ms"
            case Ask():
                yield f"the {decision.device} is asked how it stands"
            case _:
                notice = told(decision)
                yield from narrated(notice) if notice is not None else ()


def short_time(at: str) -> str:
    """A time without the offset that all have."""
    return at.removesuffix("+00:00").replace("T", " ") + ("Z" if at.endswith("+00:00") else "")
