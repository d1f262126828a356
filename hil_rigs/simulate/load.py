"""From a file to a scenario, or to the one line that says why it is none (scenarios.md)."""

import json
import os
import select
from enum import Enum
from pathlib import Path

from controller.rule_files import rulebook_of_name_or_file
from hil_rigs.simulate.deck import full_deck
from hil_rigs.simulate.errors import ScenarioError
from hil_rigs.simulate.fields import Fields, Repeated
from hil_rigs.simulate.later import refuse_later
from hil_rigs.simulate.phh import read_history
from hil_rigs.simulate.read_acts import Known, cards_of, read_act, seats_sat_down_at
from hil_rigs.simulate.read_table import TABLE_KEYS, read_table
from hil_rigs.simulate.scenario import MAX_SEED, NEEDS_WIRE, Fault, Scenario

MAX_BYTES = 1024 * 1024
"""The largest file that is read: a scenario has a few kilobytes, an endless device has no end."""
_PATIENCE_S = 10.0
MAX_HANDS = 1_000_000

_KEYS = ("name", "table", "deck", "seed", "acts", "hands")
_BOM = b"\xef\xbb\xbf"


class Wiring(Enum):
    """How the devices are joined to the controller: by ports and frames, or handed over directly."""

    PORTS = "ports"
    DIRECT = "direct"


def load(path: Path, *, wire: Wiring = Wiring.PORTS) -> Scenario:
    """Return the scenario in a file: a hand history if its name ends in `.phh`, else JSON.

    Raises:
        ScenarioError: it cannot be read, is no scenario, needs what is not played yet, or needs a wire
            that `wire` has not.
    """
    file = str(path)
    if path.suffix.lower() == ".phhs":
        raise ScenarioError(file, "", "holds several hands: give each a `.phh` file of its own")
    text = _text(path, file)
    # A name that is no UTF-8 could not be printed in the report.
    name = path.stem.encode("utf-8", "replace").decode()
    if path.suffix.lower() == ".phh":
        scenario = read_history(text, file=file, name=name)
    else:
        scenario = read_scenario(text, file=file, name=name)
    refuse_later(scenario, file)
    if wire is Wiring.DIRECT:
        refuse_wire_faults(scenario, file)
    return scenario


def read_scenario(text: str, *, file: str, name: str) -> Scenario:
    """Return the scenario that a JSON text describes; `name` is for one that has none of its own.

    Raises:
        ScenarioError: the text is not JSON or no scenario; `file` is what the error names.
    """
    fields = Fields(file, "", _json(text, file), _KEYS)
    title = fields.text("name", name)
    table = read_table(fields.inner("table", TABLE_KEYS))
    cards = cards_of(fields, "deck") if "deck" in fields else ()
    seed = fields.whole("seed", 0, low=-MAX_SEED, high=MAX_SEED)
    told = fields.items("acts")
    book = rulebook_of_name_or_file(table.rules)
    known = Known(sorted({*table.seats, *seats_sat_down_at(told)}), book.remedies, book.rules)
    acts = tuple(read_act(file, i, act, known) for i, act in enumerate(told))
    hands = fields.whole("hands", 1, low=1, high=MAX_HANDS)
    return Scenario(name=title, table=table, deck=full_deck(cards, seed), seed=seed, acts=acts, hands=hands)


def refuse_wire_faults(scenario: Scenario, file: str) -> None:
    """Let a scenario pass that needs no wire.

    Raises:
        ScenarioError: it has a fault of the wire, which is named.
    """
    for act in scenario.acts:
        if isinstance(act, Fault) and act.fault in NEEDS_WIRE:
            why = f"the fault `{act.fault}` needs a wire, and --direct has none"
            raise ScenarioError(file, f"acts[{act.index}].fault", why)


def _text(path: Path, file: str) -> str:
    try:
        content = _bytes(path)
    except FileNotFoundError:
        raise ScenarioError(file, "", "no such file") from None
    except IsADirectoryError:
        raise ScenarioError(file, "", "is a directory, not a scenario file") from None
    except PermissionError:
        raise ScenarioError(file, "", "cannot be read: permission denied") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ScenarioError(file, "", f"cannot be read: {reason}") from None
    if len(content) > MAX_BYTES:
        raise ScenarioError(file, "", f"is larger than {MAX_BYTES} bytes, so it is no scenario")
    if content.startswith(_BOM):
        raise ScenarioError(file, "line 1, column 1", "begins with a byte order mark; UTF-8 needs none")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ScenarioError(file, f"line {line}", "is not UTF-8") from None
    if not text.strip():
        raise ScenarioError(file, "", "is empty")
    return text


def _bytes(path: Path) -> bytes:
    """The first bytes of a file, or of a pipe whose writer is there; nobody is waited for."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb", buffering=0) as stream:
        content = b""
        while len(content) <= MAX_BYTES:
            part = stream.read(MAX_BYTES + 1 - len(content))
            if part is None:  # a writer is there, and has not written yet
                select.select([stream], [], [], _PATIENCE_S)
                part = stream.read(MAX_BYTES + 1 - len(content)) or b""
            if not part:
                break
            content += part
        return content


def _json(text: str, file: str) -> object:
    try:
        value: object = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ScenarioError(file, place, f"is not JSON: {error.msg}") from None
    except RecursionError:
        raise ScenarioError(file, "", "is nested too deep to be a scenario") from None
    except ValueError:
        # Python refuses to read a whole number of more than some thousands of digits.
        raise ScenarioError(file, "", "holds a number that is too long") from None
    return value


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    seen = set[str]()
    for key, _ in pairs:
        if key in seen:
            return Repeated(pairs, key)
        seen.add(key)
    return dict(pairs)
