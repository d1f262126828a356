"""What a journal tells to those who come later: whether it is what was written, what happened in a hand, who
looked at what was sealed (docs/journal.md, "Reading a journal").

`verifying` holds it against itself and against what was noted elsewhere, `opening` shows what is sealed and
has it written down, `replaying` decides every event once more, `telling` says in plain words what happened.
"""
