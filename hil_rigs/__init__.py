"""Benches: the virtual table, the simulation above it, and what measures and breaks them."""
