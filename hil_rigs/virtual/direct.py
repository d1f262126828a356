"""The same table without framing, link and port: bodies of messages are handed over as they are."""

from hil_rigs.virtual.chance import drawn
from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.messages import pack
from hil_rigs.virtual.table import VirtualTable

_LAST_NUMBER = 0xFFFF


class DirectTable:
    """Hands over events and commands; what happens is what happens over a wire without faults."""

    def __init__(self, table: VirtualTable) -> None:
        self.table = table
        self._turns = 0
        self._told_ms = {name: device.time_ms for name, device in table.devices.items()}
        self._numbers = dict.fromkeys(table.devices, 0)
        self._booted: list[str] = []
        for device in table.devices.values():
            device.session_opened()

    @property
    def quiet(self) -> bool:
        """Everything was taken and every device is idle."""
        return self.table.idle and not self._ticks_due()

    def take(self) -> list[tuple[str, int, bytes]]:
        """Return what the devices say: (device, type, body), in the order in which it happened.

        Reports of zones come late: some of them, chosen from the seed, are left for a later call, but a
        call that returns nothing means that there is nothing more. TICK is said when the time has moved.
        """
        self.table.work()
        said = self._collect()
        self._turns += 1
        waiting = self.table.zones.waiting if self.table.zones is not None else 0
        if waiting:
            least = 0 if said else 1
            dice = drawn(self.table.setup.late_seed, "lateness", self._turns)
            for _ in range(dice.randint(least, waiting)):
                self.table.release_report()
            said += self._collect()
        return said + self._ticks()

    def give(self, device: str, type_: int, body: bytes) -> None:
        """Hand a message of the host to a device.

        Raises KeyError for a device that is not there, BodyError for a body that does not fit its type.
        """
        if device in self._booted:
            return  # it was for the boot before
        self.table.devices[device].handle(type_, body)
        if self.table.devices[device].dark:
            self.power_cycle(device)

    def power_cycle(self, name: str) -> None:
        """A device loses its power and boots. Raises KeyError for a device that is not there."""
        self.table.devices[name].power_cycle()
        self._numbers[name] = 0
        self._told_ms[name] = self.table.devices[name].time_ms
        self._booted.append(name)

    def booted(self) -> list[str]:
        """Devices that have booted since this was asked: a session with each is opened now."""
        booted, self._booted = self._booted, []
        for name in booted:
            self.table.devices[name].session_opened()
        return booted

    def _collect(self) -> list[tuple[str, int, bytes]]:
        events = [(event, name) for name, device in self.table.devices.items() for event in device.take()]
        events.sort(key=lambda pair: pair[0].stamp)
        for _, name in events:
            self._numbers[name] = self._numbers[name] % _LAST_NUMBER + 1
        return [(name, event.type, event.body) for event, name in events]

    def _ticks_due(self) -> list[str]:
        devices = self.table.devices
        return [name for name, told_ms in self._told_ms.items() if devices[name].time_ms != told_ms]

    def _ticks(self) -> list[tuple[str, int, bytes]]:
        ticks = []
        for name in self._ticks_due():
            time_ms = self.table.devices[name].time_ms
            self._told_ms[name] = time_ms
            ticks.append((name, int(Type.TICK), pack(Type.TICK, time=time_ms, last=self._numbers[name])))
        return ticks
