NOT_SHOWN = frozenset(
    {
        *("joker", "exposed-top-of-stub", "duplicate-card", "foreign-card", "missing-card"),
        "hand-killed-by-dealer",
    }
)
"""What the table rules on and no scenario shows yet: a scenario that is written is to be taken out here."""
