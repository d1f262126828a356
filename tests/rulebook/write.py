"""Writes the scenarios of this folder and what is expected of them: `python -m tests.rulebook.write`."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.rulebook import (
    of_the_board,
    of_the_deal,
    of_the_end,
    of_the_floor,
    of_the_machines,
    of_the_pack,
    of_windows,
    unseen,
)
from tests.rulebook.layout import Json, Layout, Shown, Spot

HERE: Final = Path(__file__).parent
GAMES: Final = ("holdem", "omaha")
RULESETS: Final = ("roberts", "tda")
NO_RULE_MATTER_UNDER: Final = "roberts"
"""Under which ruleset is shown what none of them has anything to say of."""
ALIKE: Final = (
    *("declared-misdeal", "declared-misdeal.too-late", "player-short-card", "button-short-card"),
    *("exposed-later-hole-card.too-late", "boxed-card", "boxed-card.flop", "boxed-cards-two-plus"),
    *("underfull-flop", "board-not-declared", "board-not-declared.declared"),
    *("premature-flop", "premature-river"),
    *of_the_pack.ALIKE,
    *of_the_machines.ALIKE,
    *of_the_floor.ALIKE,
)
"""What comes out alike at a table without antennas."""
_CARDS: Final = ("hole", "included", "board", "burns", "aside", "scrap", "muck")


def shown() -> Iterator[tuple[str, str, str, Shown]]:
    """Every scenario: its name, its game, its ruleset, and what is done and expected."""
    for game in GAMES:
        hand = Layout(game)
        for rules in RULESETS:
            cases = of_the_deal.CASES | of_the_board.CASES | of_the_end.CASES | of_windows.CASES
            cases |= of_the_pack.CASES
            cases |= of_the_floor.CASES
            roberts = of_the_deal.ROBERTS_ONLY | of_the_board.ROBERTS_ONLY
            tda = of_the_board.TDA_ONLY | of_the_floor.TDA_ONLY
            cases |= roberts if rules == "roberts" else tda
            cases |= of_the_end.HOLDEM_ONLY if game == "holdem" else {}
            cases |= of_the_machines.CASES if rules == NO_RULE_MATTER_UNDER else {}
            for case, made in cases.items():
                yield f"{case}.{game}.{rules}", game, rules, made(hand, rules)
            blind = of_the_deal.BLIND | of_the_pack.BLIND | unseen.CASES
            blind |= of_the_machines.BLIND if rules == NO_RULE_MATTER_UNDER else {}
            blind |= {case: cases[case] for case in ALIKE if case in cases}
            for case, made in blind.items():
                without = made(hand, rules)
                table = {**without.table, "zones": False}
                yield f"{case}.{game}.{rules}.blind", game, rules, replace(without, table=table)


def files() -> dict[str, str]:
    """The text of every file by its name."""
    made: dict[str, str] = {}
    for name, game, rules, case in shown():
        table = {"game": game, "rules": rules, "seats": dict.fromkeys(("1", "2", "3"), 1000), "button": 1}
        scenario: Json = {
            "name": name,
            "table": {**table, **case.table},
            "deck": " ".join(case.deck),
            "seed": 7,
        }
        scenario |= {"hands": case.hands} if case.hands > 1 else {}
        made[f"{name}.json"] = _text(scenario | {"acts": list(case.acts)})
        made[f"{name}.expect.json"] = _text(_as_cards(case.expect, case))
    return made


def _as_cards(expect: Mapping[str, object], case: Shown) -> Json:
    return {key: _named(value, case) if key in _CARDS else value for key, value in expect.items()}


def _named(value: object, case: Shown) -> object:
    """Places in the deck as the cards that lie there."""
    if isinstance(value, Mapping):
        return {seat: _named(spots, case) for seat, spots in value.items()}
    if isinstance(value, list):
        return [_named(spot, case) for spot in value]
    return _card(value, case) if isinstance(value, int | str | frozenset) else value


def _card(spot: Spot, case: Shown) -> str:
    if isinstance(spot, frozenset):
        return "one of " + " ".join(case.deck[place] for place in sorted(spot))
    return case.deck[spot] if isinstance(spot, int) else spot


def _text(made: Json) -> str:
    """One key a line, and one act a line."""
    lines = []
    for key, value in made.items():
        if key == "acts":
            acts = ",\n".join(f"  {json.dumps(act)}" for act in value)
            lines.append(f' "acts": [\n{acts}\n ]')
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    """Writes them all, and takes away what is none of them."""
    made = files()
    for path in HERE.glob("*.json"):
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        (HERE / name).write_text(text)


if __name__ == "__main__":
    main()
