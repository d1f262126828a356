"""All that knows bytes: ports, framing, messages, links. It knows no card and no rule."""
