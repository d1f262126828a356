"""What a journal tells to those who come later, on journals that real tables wrote."""
