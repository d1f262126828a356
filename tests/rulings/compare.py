"""A report held against what the rule book says of it, and against what every report must be."""

from collections.abc import Iterable

from tests.rulings.words import Expectation, ExpectedRuling, Json

_RANKS, _SUITS = "23456789TJQKA", "shdc"
DECK = tuple(rank + suit for rank in _RANKS for suit in _SUITS)
"""The cards in the order in which lists of them are sorted."""


def differences(report: Json, expected: Expectation) -> list[str]:
    """In what a report is not what was expected, a line each; empty where it is."""
    out = [
        *_same("outcome", report["outcome"], expected.outcome),
        *_same("phase", report["phase"], expected.phase),
        *_same("phases", report["phases"], expected.phases),
    ]
    made = len(report["shuffles"])
    halted_in_a_shuffle = expected.outcome == "halted" and made == len(expected.shuffles) + 1
    if made != len(expected.shuffles) and not halted_in_a_shuffle:
        # What is expected names cards by their shuffle, so nothing can be said of where they lie.
        return [
            *out,
            f"number of shuffles: got {made}, expected {len(expected.shuffles)}",
            *_rulings(report, expected),
        ]
    for i in range(len(expected.shuffles)):
        out += _shuffle(report, expected, i)
    return [*out, *_rulings(report, expected), *_cards(report, expected), *_said(report, expected)]


def _same(what: str, got: object, want: object) -> Iterable[str]:
    if want is not None and got != want:
        yield f"{what}: got {got}, expected {want}"


def _shuffle(report: Json, expected: Expectation, i: int) -> Iterable[str]:
    got, want = report["shuffles"][i], expected.shuffles[i]
    yield from _same(f"shuffle {i} included", got["included"], in_order(named(report, want.included)))
    yield from _same(f"shuffle {i} cut", got["cut"], True)
    kept = set(got["included"]) & set(named(report, want.out))
    if kept and not want.misdeal:
        yield f"shuffle {i}: {in_order(kept)} should have stayed where they lie"


def _cards(report: Json, expected: Expectation) -> Iterable[str]:
    if expected.board is not None:
        yield from _same("board", report["board"], named(report, expected.board))
    if expected.burns is not None:
        yield from _same("burns", report["burns"], named(report, expected.burns))
    for zone, cards in (("aside", expected.aside), ("muck", expected.muck)):
        if cards is not None:
            yield from _same(zone, in_order(report[zone]), in_order(named(report, cards)))
    for seat, held in (expected.hole or {}).items():
        got = in_order(report["hole"][str(seat)])
        yield from _same(f"hole cards of seat {seat}", got, in_order(named(report, held)))
    yield from _same("stub", report["stub"], expected.stub)
    if expected.won is not None:
        yield from _same("won", won(report), {str(seat): won for seat, won in expected.won.items()})


def named(report: Json, symbols: Iterable[str]) -> list[str]:
    """Cards, each `@i.k` as the card that it is in this report."""
    return [_card(report, symbol) for symbol in symbols]


def in_order(cards: Iterable[str]) -> list[str]:
    """Cards by rank and suit."""
    return sorted(cards, key=lambda card: (DECK.index(card) if card in DECK else len(DECK), card))


def _card(report: Json, symbol: str) -> str:
    if not symbol.startswith("@"):
        return symbol
    shuffle, place = map(int, symbol[1:].split("."))
    if shuffle >= len(report["shuffles"]) or place >= len(report["shuffles"][shuffle]["order"]):
        return symbol
    card: str = report["shuffles"][shuffle]["order"][place]
    return card


def _rulings(report: Json, expected: Expectation) -> list[str]:
    got = report["rulings"]
    wanted = expected.rulings
    if wanted and wanted[-1].optional and len(got) == len(wanted) - 1:
        wanted = wanted[:-1]
    ids, names = [ruling["rule"] for ruling in got], [ruling.rule for ruling in wanted]
    if ids != names:
        return [f"rulings: got {ids}, expected {names}"]
    return [
        f"ruling {i}, {want.rule}: {fault}"
        for i, (ruling, want) in enumerate(zip(got, wanted, strict=True))
        for fault in _ruling(report, ruling, want)
    ]


def _ruling(report: Json, got: Json, want: ExpectedRuling) -> Iterable[str]:
    if got["rules"] != "roberts":
        yield f"made by {got['rules']}"
    if got["phase"] not in want.phases:
        yield f"phase: got {got['phase']}, expected {' or '.join(want.phases)}"
    if got["seat"] not in want.seats:
        yield f"seat: got {got['seat']}, expected {want.seats}"
    maybe = [_card(report, card) for card in want.maybe]
    cards = [card for card in got["cards"] if card not in maybe]
    wanted = in_order(_card(report, card) for card in want.cards)
    if in_order(cards) != wanted:
        yield f"cards: got {got['cards']}, expected {wanted}{f' and perhaps {maybe}' if maybe else ''}"


def won(report: Json) -> dict[str, int]:
    """What every winner got, of all pots."""
    got: dict[str, int] = {}
    for pot in report["pots"]:
        for seat, chips in pot["winners"].items():
            got[seat] = got.get(seat, 0) + chips
    return got


def _said(report: Json, expected: Expectation) -> list[str]:
    out = []
    codes = [alert["code"] for alert in report["alerts"]]
    out += [f"no alert {code}" for code in expected.alerts if code not in codes]
    if expected.told and not codes:
        out.append("no alert tells the floor")
    for code in ("ledger-differs", "stray-card"):
        if code in codes:
            out.append(f"an alert {code}")
    refused = [refusal["act"] for refusal in report["refused"]]
    out += [f"act {act} was not refused" for act in expected.refused if act not in refused]
    borne = (*expected.refused, *expected.tolerated)
    out += [f"refused: {refusal}" for refusal in report["refused"] if refusal["act"] not in borne]
    return out


def unsound(report: Json, file: Json) -> list[str]:
    """What may be wrong with any report, whatever it is about, a line each."""
    out: list[str] = []
    if report["phases"][:3] != ["idle", "shuffle", "deal"]:
        out.append(f"phases begin {report['phases'][:3]}")
    zones = ("board", "burns", "muck", "aside", "scrap")
    lying = [card for held in report["hole"].values() for card in held]
    lying += [card for zone in zones for card in report.get(zone, []) if card != "joker"]
    other = report.get("other", {})
    elsewhere = len(other.get("transit", [])) + other.get("shuffler", 0) + other.get("output", 0)
    if len(set(lying)) != len(lying) or len(lying) + report["stub"] + elsewhere != len(DECK):
        out.append(f"{len(set(lying))} different cards and {report['stub']} in the shoe are not 52")
    out += _unsound_chips(report, file)
    for i, shuffle in enumerate(report["shuffles"]):
        if sorted(shuffle["order"]) != sorted(shuffle["included"]):
            out.append(f"shuffle {i}: other cards came out than went in")
        if len(shuffle["order"]) > 8 and shuffle["order"] == shuffle["included"]:
            out.append(f"shuffle {i}: nothing was shuffled")
    for ruling in report["rulings"]:
        if ruling["rule"].startswith("extra-card") and ruling["cards"]:
            out.append(f"{ruling['rule']} names a card that nobody saw")
    if not report["prompts"] or not report["commands"]:
        out.append("no prompt or no command")
    ended_by_itself = any(act == {"do": "play", "until": "done"} for act in file["acts"][-1:])
    if ended_by_itself and report["outcome"] not in ("completed", "halted", "void"):
        out.append(f"the hand ended {report['outcome']} in {report['phase']}")
    return out


def _unsound_chips(report: Json, file: Json) -> list[str]:
    seats = file["table"]["seats"]
    if report["outcome"] != "completed":
        return []
    out = []
    if sum(report["stacks"].values()) != sum(seats.values()):
        out.append(f"chips: {sum(report['stacks'].values())} of {sum(seats.values())}")
    got = won(report)
    paid = {seat: seats[seat] + got.get(seat, 0) - stack for seat, stack in report["stacks"].items()}
    if sum(paid.values()) != sum(pot["amount"] for pot in report["pots"]) or min(paid.values()) < 0:
        out.append("pots, winners and stacks do not add up")
    return out
