"""A service from its configuration: the one place where the parts of a table are put together."""

import hashlib
import hmac

from controller.checking import Checker, InlineChecker
from controller.config import Config
from controller.decks import Deck, Registry
from controller.journal import Journal
from controller.prompter import Prompter
from controller.rule_files import prompts_of
from controller.service import Service
from controller.translate import DeckInUse


def make_service(
    config: Config,
    journal: Journal,
    order: bytes,
    registry: Registry,
    checker: Checker | None = None,
) -> Service:
    """The table of a configuration; `order` is a secret by which the shuffler's tables of tags are ordered,
    the same one for every start that is to go on where another stopped.

    `checker` knows the people; None where the table has none.

    Raises DeckError where the registry has not every deck of the table.
    """
    setup = config.setup()
    return Service(
        name=config.table.name,
        setup=setup,
        registry=registry,
        decks=[_in_use(registry.deck(deck), order) for deck in config.decks.in_use],
        prompter=Prompter(prompts_of(setup.rules, config.table.language), config.layout()),
        journal=journal,
        checker=checker or InlineChecker(),
    )


def _in_use(deck: Deck, order: bytes) -> DeckInUse:
    """Whoever does not have the secret cannot tell from its place in the table which tag is which."""
    tags = sorted(deck.cards, key=lambda uid: hmac.digest(order, uid, hashlib.sha256))
    return DeckInUse(deck, tuple(tags))
