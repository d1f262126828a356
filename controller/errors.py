"""The shell's errors: what happened, to which file or table, what to do next. One line each."""


def printable(text: str) -> str:
    """A text on one line, whatever a name in it is made of."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


class TableError(Exception):
    """Whatever keeps a table from being run; one line, whatever a name in it is made of."""

    def __str__(self) -> str:
        return printable(super().__str__())


class ConfigError(TableError):
    """A table's configuration cannot be used."""


class DeckError(TableError):
    """A deck registry cannot be used."""


class NoDeckError(DeckError):
    """A deck registry has no deck of an id that a table names."""

    def __init__(self, why: str, deck: str) -> None:
        super().__init__(why)
        self.deck = deck


class JournalError(TableError):
    """The journal cannot be written or read."""


class JournalOpenError(JournalError):
    """The journal cannot be used from the start: another file, or another table, stands in the way."""


class AuditorKeyError(JournalOpenError):
    """The auditor's key cannot be used."""


class ReplayError(TableError):
    """Something else follows from an entry of the journal now than followed when it was written."""

    def __init__(self, number: int) -> None:
        super().__init__(f"entry {number}: something else follows from it now")
        self.number = number


class DoorError(TableError):
    """The controller's local socket cannot be used."""


class RuleFileError(ConfigError):
    """A file of rules or remedies cannot be used; `lines` is all that is wrong with it."""

    def __init__(self, *lines: str) -> None:
        more = f" ({len(lines) - 1} more: see cutcard rules check)" if len(lines) > 1 else ""
        super().__init__(f"{lines[0]}{more}")
        self.lines = tuple(printable(line) for line in lines)


class RuleNameError(TableError):
    """The rulebook has no rule of that name."""


class PeopleFileError(ConfigError):
    """A file of people cannot be used."""


class PeopleUnwrittenError(TableError):
    """A file of people cannot be written."""


class KeyFileError(ConfigError):
    """A key file cannot be used; never says a key."""


class KeyFileMissingError(KeyFileError):
    """There is no key file yet."""


class KeyUnwrittenError(TableError):
    """A key file cannot be written."""


class KeyRefusedError(TableError):
    """A device's key cannot be changed as it was asked for."""


class PairingError(TableError):
    """A device was not paired, or nobody knows whether it was: says which, and what to do."""


class PersonError(TableError):
    """A person, a PIN or a badge cannot be taken as it was given; never says which PIN or badge."""
