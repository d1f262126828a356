"""What a file that is no scenario is answered with: one line that names file, place and fault."""

import json

SHOWN = 40
"""How many characters of a value a message repeats at most."""


class ScenarioError(Exception):
    """A file is no scenario (scenarios.md: exit status 2).

    `str()` of it is one printable line: `file: place: why`, without the place where there is none.
    """

    def __init__(self, file: str, place: str, why: str) -> None:
        """Say which `file`, where in it (`acts[3].seat`; empty for the whole file) and what is wrong."""
        self.file = file
        self.place = place
        self.why = why
        shown = file if file.isprintable() else ascii(file)
        super().__init__(": ".join(part for part in (shown, place, why) if part))


def quoted(text: str) -> str:
    """Return `text` for a message: in quotes, on one line, shortened, printable everywhere."""
    return json.dumps(text if len(text) <= SHOWN else text[: SHOWN - 3] + "...")


def described(value: object) -> str:
    """Return what a message calls a value of JSON or TOML: itself, or what sort of container it is."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if value is None or isinstance(value, bool | float):
        return json.dumps(value)
    shown = str(value)
    return shown if len(shown) <= SHOWN else shown[: SHOWN - 3] + "..."
