"""What is on display, and what of it the dealer has acknowledged: that is shown calm from then on."""

from collections.abc import Collection

import msgspec

from controller.decisions import Prompt


class AcknowledgedState(msgspec.Struct, frozen=True):
    """The prompt on display, and those that stand and were acknowledged."""

    on_display: Prompt | None
    acknowledged: tuple[Prompt, ...]


class Acknowledging:
    """The prompt on display, and those that stand and were acknowledged."""

    def __init__(self) -> None:
        self._on_display: Prompt | None = None
        self._acknowledged: set[Prompt] = set()
        self._said = False

    def state(self) -> AcknowledgedState:
        """All of it, between two events."""
        return AcknowledgedState(self._on_display, tuple(sorted(self._acknowledged, key=msgspec.json.encode)))

    def resume(self, state: AcknowledgedState) -> None:
        """Goes on from there."""
        self._on_display, self._acknowledged = state.on_display, set(state.acknowledged)

    def shown(self, prompt: Prompt) -> Prompt:
        """The prompt as it has to be shown now."""
        known = prompt in self._acknowledged
        self._on_display, self._said = prompt, False
        return msgspec.structs.replace(prompt, acknowledged=True) if known else prompt

    def flashes(self, code: str) -> bool:
        """Whether a prompt of this code is on display and the dealer has not acknowledged it."""
        shown = self._on_display
        return shown is not None and shown.code == code and shown not in self._acknowledged

    def says_seen(self) -> None:
        """The dealer pressed `ack`, and it answers nothing: unless this event leads to a prompt, he has seen
        the one on display."""
        self._said = True

    def seen_now(self) -> Prompt | None:
        """The prompt on display, if the dealer has just acknowledged it for the first time."""
        shown = self._on_display
        said, self._said = self._said, False
        if not said or shown is None or shown in self._acknowledged:
            return None
        self._acknowledged.add(shown)
        return shown

    def follows(self, prompt: Prompt, left: Prompt) -> None:
        """`left` is what is left to do of a prompt: acknowledged is acknowledged."""
        if prompt in self._acknowledged:
            self._acknowledged.add(left)

    def stands_no_more(self, prompt: Prompt | None) -> None:
        """A prompt is obeyed or replaced: when it comes again it is a new one."""
        if prompt is not None:
            self._acknowledged.discard(prompt)

    def only_these_stand(self, standing: Collection[Prompt | None]) -> None:
        """All others are obeyed or replaced."""
        self._acknowledged &= {prompt for prompt in standing if prompt is not None}
