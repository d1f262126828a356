"""`cutcard rules --table`: what a table sees of each irregularity, by its configuration."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, get_args

import click
import msgspec

from controller.cli.status import WRONG_INPUT
from controller.config import Config, load_config
from controller.errors import ConfigError, RuleFileError, printable
from controller.rule_files import ways_of_sight
from controller.rulesets.sight import Need, Sight, Way, sights

HEADS: Final[Mapping[Way, str]] = {
    "seen": "Seen by a reader",
    "inferred": "Inferred from order, count or time",
    "key": "Only by a key",
    "unseen": "Unseen",
}
_WITH: Final = (
    "the antennas are taken to reach every place and to see facings; what they have, they say at hello"
)
_WITHOUT: Final = "no antennas"


def print_sights(path: str, *, as_json: bool) -> int:
    """Prints how a table comes to know of each irregularity; returns the exit status."""
    try:
        config = load_config(Path(path))
        found = sights(ways_of_sight(), _has(config))
    except (ConfigError, RuleFileError) as error:
        click.echo(f"cutcard rules: {error}", err=True)
        return WRONG_INPUT
    if as_json:
        told = {rule: {"way": sight.way, "words": sight.words} for rule, sight in found.items()}
        click.echo(msgspec.json.encode({"table": config.table.name, "irregularities": told}))
        return 0
    for line in _lines(config, found):
        click.echo(line)
    return 0


def _has(config: Config) -> frozenset[Need]:
    return frozenset(get_args(Need)) if "zones" in config.device else frozenset()


def _lines(config: Config, found: Mapping[str, Sight]) -> Iterator[str]:
    yield f"{printable(config.table.name)}: {_WITH if _has(config) else _WITHOUT}"
    width = max(map(len, found))
    for way, head in HEADS.items():
        of_way = {rule: sight for rule, sight in found.items() if sight.way == way}
        if not of_way:
            continue
        yield ""
        yield f"{head}:"
        for rule, sight in of_way.items():
            words = {"key": f"the key {sight.words}", "unseen": f"looks like {sight.words}"}.get(way, "")
            yield f"  {rule.ljust(width)}  {words}".rstrip()
