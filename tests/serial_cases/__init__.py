"""What others met on serial lines and in state machines, case by case; docs/link.md has the list."""
