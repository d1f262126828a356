"""What `cutcard` ends with: 0 it was done; 1 something failed on the way; 2 the input or the command line is
wrong; 130 interrupted."""

from typing import Final

FAILED: Final = 1
WRONG_INPUT: Final = 2
INTERRUPTED: Final = 130
