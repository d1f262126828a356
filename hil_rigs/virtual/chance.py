"""Every random choice of the virtual table, each from its own generator so that none depends on timing."""

import random


def drawn(seed: int | str, purpose: str, counter: int | str) -> random.Random:
    """Return the generator of the `counter`-th choice of one kind.

    A choice that had its place in one common stream would change whenever an unrelated one came earlier.
    """
    return random.Random(f"{seed}:{purpose}:{counter}")
