"""Attacks on the line: what must not be believed, taken twice or told."""
