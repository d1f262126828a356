"""What one core does: frames, transitions, hands and events a second."""

import time
from collections.abc import Callable
from itertools import cycle
from typing import Final, get_args

from controller.hand import TRANSITIONS, Fact, PhaseName, Phases
from firmware_bridge import framing, header, messages, secrecy
from firmware_bridge.codes import DrawFlags, Way
from hil_rigs.bench.figures import Baseline, Bound, Result, beside, spread_result, value_result
from hil_rigs.bench.plan import Plan
from hil_rigs.bench.tables import persistently, play_hand, table
from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.wire import WireBench

TABLES_MIN: Final = 50.0
"""Tables that one core must serve, at a card each 200 ms."""
CARDS_A_SECOND: Final = 5.0
"""Of one table, at a card each 200 ms."""

_DRAW: Final = messages.Draw(81_250, 7, Way.HAND, DrawFlags(0), 200, 1, (bytes.fromhex("e004015012345678"),))
_HEADER: Final = header.Header(messages.Draw.TYPE, header.NUMBERED, 23, 5, 2)
_HAND: Final[tuple[Fact, ...]] = (
    "deck_laid_in",
    "pack_loaded",
    "hole_cards_dealt",
    *("street_due", "street_lies") * 3,
    "showing",
    "pots_pushed",
)
"""The facts of one hand that goes to showdown; after it the next may begin."""


def codec(plan: Plan) -> list[Result]:
    """A DRAW from message to bytes and back, beside COBS and CRC alone."""
    type_, body = messages.encode(_DRAW)
    payload = header.pack(_HEADER, body)
    frame = framing.encode(payload)
    decoder = framing.Decoder()

    def encode() -> None:
        _, encoded = messages.encode(_DRAW)
        framing.encode(header.pack(_HEADER, encoded))

    def decode() -> None:
        for found in decoder.feed(frame):
            head, rest = header.unpack(found)
            messages.decode(head.type, rest)

    def bare_encode() -> None:
        framing.encode(payload)

    def bare_decode() -> None:
        decoder.feed(frame)

    encoded, decoded, bare_out, bare_in = _batches(plan, encode, decode, bare_encode, bare_decode)
    both = [out + in_ for out, in_ in zip(encoded, decoded, strict=True)]
    kind = f"a frame of type 0x{type_:02X} (DRAW), {len(frame)} bytes"
    median = spread_result("", "", "us", both).figure
    return [
        spread_result(
            "codec-encode",
            f"{kind}, from message to bytes",
            "us",
            encoded,
            baseline=beside("COBS and CRC alone", bare_out),
        ),
        spread_result(
            "codec-decode",
            f"{kind}, from bytes to message",
            "us",
            decoded,
            baseline=beside("COBS and CRC alone", bare_in),
        ),
        _seal(plan, body),
        value_result("codec-frames", "encoded and decoded", "frames/s", 1e6 / median, n=len(both)),
    ]


def _seal(plan: Plan, body: bytes) -> Result:
    """What a key costs a frame, on one side each: sealed, and opened again."""
    keys = secrecy.direction_keys(secrecy.PairKey(bytes(secrecy.KEY_BYTES)), b"", b"", b"", "device")
    sealer, opener = secrecy.Sealer(*keys), secrecy.Opener(*keys)

    def seal_and_open() -> None:
        opener.open(sealer.seal(_HEADER, body))

    def pack_and_unpack() -> None:
        header.unpack(header.pack(_HEADER, body))

    sealed, plain = _batches(plan, seal_and_open, pack_and_unpack)
    about = "the same frame's payload sealed by one side and opened by the other: MAC, counter, encryption"
    return spread_result("codec-seal", about, "us", sealed, baseline=beside("header and body alone", plain))


def transitions(plan: Plan) -> list[Result]:
    """A trigger of the hand's machine, beside a lookup in a dictionary."""
    phases = Phases()
    facts = cycle(_HAND)
    known: dict[tuple[PhaseName, Fact], PhaseName] = {
        (source, fact): target for fact, sources, target in TRANSITIONS for source in sources
    }
    phase: PhaseName = get_args(PhaseName)[0]
    looked_up = cycle(_HAND)

    def trigger() -> None:
        phases.establish(next(facts))

    def look_up() -> None:
        nonlocal phase
        phase = known[phase, next(looked_up)]

    triggered, found = _batches(plan, trigger, look_up)
    return [
        spread_result(
            "transition",
            "a fact taken by the machine of the hand's phases",
            "us",
            triggered,
            baseline=beside("lookup in a dict", found),
        )
    ]


def _batches(plan: Plan, *calls: Callable[[], None]) -> list[list[float]]:
    """Microseconds of each call, batch by batch in turn, so that what disturbs one disturbs all."""
    taken: list[list[float]] = [[] for _ in calls]
    for batch in range(plan.batches + 1):
        for call, samples in zip(calls, taken, strict=True):
            began = time.perf_counter_ns()
            for _ in range(plan.loops):
                call()
            if batch > 0:  # the first warms up
                samples.append((time.perf_counter_ns() - began) / 1000 / plan.loops)
    return taken


def hands(plan: Plan, journal_us: float) -> list[Result]:
    """Hands and events a second, and the tables that one core serves.

    `journal_us` is what the journal costs an event, which `--direct` has not. Raises BenchError.
    """
    results: list[Result] = []
    holdem = _Direct("holdem", plan.direct_hands)
    omaha = _Direct("omaha", plan.direct_hands)
    for direct in (holdem, omaha):
        results.append(
            value_result(
                f"hands-direct-{direct.game}",
                "six seats without a wire, the virtual table in the same process",
                "hands/s",
                direct.hands / direct.s,
                n=direct.hands,
            )
        )
    wire_s = persistently(lambda: _wire_s(plan.wire_hands))
    results.append(
        value_result(
            "hands-wire-holdem",
            "six seats over pseudo-terminals, every step waiting until the table is at rest",
            "hands/s",
            plan.wire_hands / wire_s,
            n=plan.wire_hands,
            baseline=Baseline("without a wire", results[0].figure),
        )
    )
    events, cards = holdem.events + omaha.events, holdem.cards + omaha.cards
    spent_s = holdem.s + omaha.s
    results.append(
        value_result("events-direct", "of both games' hands", "events/s", events / spent_s, n=events)
    )
    spent_s += events * journal_us / 1e6
    results.append(
        value_result(
            "tables-per-core",
            "a card each 200 ms and all that comes with it, the journal's cost for each event added",
            "tables",
            cards / spent_s / CARDS_A_SECOND,
            n=cards,
            bound=Bound(value_min=TABLES_MIN),
        )
    )
    return results


class _Direct:
    """Hands of one game without a wire."""

    def __init__(self, game: str, hands: int) -> None:
        self.game = game
        self.hands = hands
        bench = DirectBench(table(game))
        bench.rest()
        play_hand(bench)  # warms up
        heard = bench.heard
        shuffled = len(bench.table.felt.shuffles)
        began = time.perf_counter()
        for _ in range(hands):
            play_hand(bench)
        self.s = time.perf_counter() - began
        self.events = bench.heard - heard
        self.cards = (len(bench.table.felt.shuffles) - shuffled) * _cards_dealt(bench)


def _cards_dealt(bench: DirectBench) -> int:
    """How many cards left the shoe in the last hand: all but what the stub still holds."""
    return bench.table.shoe.number


def _wire_s(hands: int) -> float:
    bench = WireBench(table("holdem"))
    try:
        bench.rest()
        play_hand(bench)
        began = time.perf_counter()
        for _ in range(hands):
            play_hand(bench)
        return time.perf_counter() - began
    finally:
        bench.close()
