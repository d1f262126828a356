"""The shell's errors: what happened, to which file or table, what to do next. One line each."""


class TableError(Exception):
    """Whatever keeps a table from being run."""


class ConfigError(TableError):
    """A table's configuration cannot be used."""


class DeckError(TableError):
    """A deck registry cannot be used."""


class JournalError(TableError):
    """The journal cannot be written or read."""


class DoorError(TableError):
    """The controller's local socket cannot be used."""
