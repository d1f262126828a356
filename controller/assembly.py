"""A service from its configuration: the one place where the parts of a table are put together."""

import random

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
    chance: random.Random,
    registry: Registry,
    checker: Checker | None = None,
) -> Service:
    """The table of a configuration; `chance` draws the order of the shuffler's tables of tags.

    `checker` knows the people; None where the table has none.

    Raises DeckError where the registry has not every deck of the table.
    """
    setup = config.setup()
    return Service(
        name=config.table.name,
        setup=setup,
        registry=registry,
        decks=[_in_use(registry.deck(deck), chance) for deck in config.decks.in_use],
        prompter=Prompter(prompts_of(setup.rules, config.table.language), config.layout()),
        journal=journal,
        checker=checker or InlineChecker(),
    )


def _in_use(deck: Deck, chance: random.Random) -> DeckInUse:
    tags = sorted(deck.cards)
    chance.shuffle(tags)
    return DeckInUse(deck, tuple(tags))
