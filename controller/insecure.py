"""How every screen shows that a table takes devices without keys: for a bench alone."""

from typing import Final

from controller.decisions import Alert
from controller.devices import INSECURE
from controller.prompts.catalogue import Worded
from controller.prompts.spelling import Charset
from controller.prompts.texts import broken, displayed

MARK: Final = "INSECURE"
SHORT_MARK: Final = "!!"
WARNING: Final = Alert(code="insecure", text=INSECURE)
"""What the feed says of it."""


def marked(worded: Worded, columns: int, rows: int, charset: Charset) -> tuple[str, ...]:
    """A prompt's lines on a display, with the mark: behind its text where there is room, else in the place of
    its glyph and the blank behind that, which takes as much room."""
    plain = displayed(worded.glyph, worded.text, charset)
    lines = broken(f"{plain} {MARK}", columns)
    if len(lines) > rows or any(len(line) > columns for line in lines):
        text = displayed("", worded.text, charset)
        lines = broken(f"{SHORT_MARK}{text}", columns)
    return tuple(line[:columns] for line in lines[:rows])
