"""What goes wrong on a wire, by name. It knows bytes and frames that end with `00`, and nothing of what they
mean, so it belongs to neither side."""
