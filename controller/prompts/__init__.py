"""What the dealer is told, in each language, and on which LEDs."""
