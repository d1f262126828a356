"""Tests of the host side of the wire."""
