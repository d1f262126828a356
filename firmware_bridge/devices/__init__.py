"""What a device needs beyond single messages: a deck's table, a prompt in frames, masks.

Nothing for shoe and keypad: their messages say it all.
"""
