"""What a zone reader's state means (docs/protocol.md, ZONES_STATE)."""

from firmware_bridge.codes import Zone


def occupied(bits: int) -> frozenset[Zone]:
    """The zones with a tag in their field: bit z for zone z; bits of no zone are left out."""
    return frozenset(zone for zone in Zone if bits >> zone & 1)
