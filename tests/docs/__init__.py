"""The pages in docs/ held against the code, so that the two cannot part."""
