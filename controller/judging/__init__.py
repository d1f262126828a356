"""What is ruled on, one module a matter: hole cards, board and burns, the deck. `judge` has them all."""
