"""`cutcard rules --table`: what a configured table sees of each irregularity."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.main import cutcard
from controller.rulesets.known import KNOWN
from tests.shell.test_cli import CONFIG

ZONES = '[device.zones]\nport = "zones"\n'


def printed(tmp_path: Path, config: str, *more: str) -> Result:
    (tmp_path / "table.toml").write_text(config, "utf-8")
    return CliRunner().invoke(cutcard, ["rules", "--table", str(tmp_path / "table.toml"), *more])


def under(heads: str) -> dict[str, list[str]]:
    """The ids under each heading of the page."""
    parts = heads.split("\n\n")[1:]
    told = (part.splitlines() for part in parts)
    return {head.removesuffix(":"): [line.split()[0] for line in lines] for head, *lines in told}


def test_a_table_without_antennas_is_told_what_it_infers_what_a_key_reports_and_what_it_never_sees(
    tmp_path: Path,
) -> None:
    said = printed(tmp_path, CONFIG)
    heads = under(said.output)
    assert said.exit_code == 0
    assert list(heads) == [
        "Seen by a reader",
        "Inferred from order, count or time",
        "Only by a key",
        "Unseen",
    ]
    assert "boxed-card" in heads["Seen by a reader"]
    assert "overfull-flop" in heads["Inferred from order, count or time"]
    assert "exposed-later-hole-card" in heads["Only by a key"]
    assert "player-skipped" in heads["Unseen"]
    assert {rule for listed in heads.values() for rule in listed} >= KNOWN.keys()


def test_a_table_with_antennas_is_told_that_only_the_dealers_own_word_needs_a_key(tmp_path: Path) -> None:
    heads = under(printed(tmp_path, CONFIG + ZONES).output)
    assert list(heads) == ["Seen by a reader", "Only by a key"]
    assert "declared-misdeal" in heads["Only by a key"]


def test_a_machine_gets_the_same_as_one_object(tmp_path: Path) -> None:
    told = json.loads(printed(tmp_path, CONFIG, "--json").output)
    assert told["table"] == "one"
    assert told["irregularities"]["exposed-burn"] == {"way": "key", "words": "exposed"}


@pytest.mark.parametrize(
    ("config", "more", "said"),
    [
        (CONFIG.replace("[door]", "[dor]"), (), "table.toml, line 20: dor"),
        (CONFIG, ("tda",), "--table stands alone"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    tmp_path: Path, config: str, more: tuple[str, ...], said: str
) -> None:
    refused = printed(tmp_path, config, *more)
    assert refused.exit_code == 2
    assert said in refused.output
    assert "Traceback" not in refused.output
