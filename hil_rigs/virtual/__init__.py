"""A table made of physics: cards, machines and hands, and five devices that speak the wire protocol.

Written from docs/protocol.md alone: nothing here imports the host's side of the wire, so that the document is
read twice.
"""
