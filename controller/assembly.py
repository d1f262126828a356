"""A service from its configuration: the one place where the parts of a table are put together."""

import random

from controller.config import Config
from controller.decks import Registry
from controller.journal import Journal
from controller.prompt_files import catalogue
from controller.prompter import Prompter
from controller.service import Service


def make_service(config: Config, journal: Journal, chance: random.Random, registry: Registry) -> Service:
    """The table of a configuration; `chance` draws the order of the shuffler's table of tags.

    Raises DeckError where the registry has not the deck in play.
    """
    deck = registry.deck(config.decks.play)
    tags = sorted(deck.cards)
    chance.shuffle(tags)
    return Service(
        name=config.table.name,
        setup=config.setup(),
        registry=registry,
        deck=deck,
        indices_order=tags,
        prompter=Prompter(catalogue(config.table.language), config.layout()),
        journal=journal,
    )
