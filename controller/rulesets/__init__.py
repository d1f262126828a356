"""Rulesets: what is ruled on and by which remedy, read from the files beside this one."""
