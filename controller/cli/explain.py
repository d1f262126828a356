"""`cutcard audit explain`: what happened in a hand, as a floor manager shows it to a player."""

from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import click

from controller.audit.account import Shown, account_of, text_of
from controller.audit.opening import Surveyed, Wish, opener_for, survey, write_down
from controller.audit.page import page_of
from controller.audit.words import words
from controller.cli.journal import Hand, new_file, say, status_of
from controller.cli.status import FAILED
from controller.errors import JournalError
from controller.journal.hands import HandLines, hands_in
from controller.journal.reading import as_it_stands, files_of
from controller.prompt_files import catalogue


@dataclass(frozen=True)
class Asked:
    """What was asked for on the command line."""

    journal: str
    hand: Hand
    html: str | None
    key: str | None
    who: str
    anyway: bool


def explain_hand(asked: Asked) -> int:
    """Explains a hand; returns the exit status."""

    def do() -> int:
        surveyed = survey(Path(asked.journal), asked.hand[0])
        hand = _hand(asked, surveyed)
        if asked.html is not None and Path(asked.html).exists():
            raise JournalError(f"{asked.html}: a file is there already; choose another name")
        shown = _opened(asked, surveyed, hand)
        account = account_of(
            hand, surveyed.verified, words(), catalogue("en"), version=version("cutcard"), shown=shown
        )
        if asked.html is None:
            for line in text_of(account, words()):
                say(line)
        else:
            with new_file(Path(asked.html)) as file:
                file.write(page_of(account, words()).encode())
            click.echo(f"{asked.html}: {account.title}")
        return FAILED if account.broken else 0

    return status_of("audit explain", do)


def _hand(asked: Asked, surveyed: Surveyed) -> HandLines:
    """The hand that was asked for. Raises JournalError where its journal does not hold, unless it is wanted
    anyway."""
    found = surveyed.verified
    if not found.faults:
        return surveyed.wanted(*asked.hand)
    if not asked.anyway:
        raise JournalError(
            f"{found.faults[0]}; the journal does not hold: --anyway explains the hand and says so"
        )
    if asked.key is not None:
        raise JournalError(
            f"{found.faults[0]}; nothing that is sealed is shown of a journal that does not hold"
        )
    number = asked.hand[0]
    lines = as_it_stands(files_of(found.journal))
    hands = list(hands_in(lines, lambda at: at.number == number))
    return Surveyed(found, hands).wanted(*asked.hand)


def _opened(asked: Asked, surveyed: Surveyed, hand: HandLines) -> Shown | None:
    if asked.key is None:
        return None
    wish = Wish(asked.who, Path(asked.key), "explained")
    opener = opener_for(wish, [hand])
    opening = write_down(surveyed.verified.journal, wish, opener, [hand], surveyed.verified.last)
    return Shown(asked.who, opener, opening)
