"""From the stable name of a port to what can be opened now.

``/dev/ttyUSB0`` may be another device after a replug, so a port is configured by what stays: a link in
``/dev/serial/by-id``, a URL, or a `UsbMatch`. It is resolved anew at every attempt.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from serial.tools.list_ports import comports
from serial.tools.list_ports_common import ListPortInfo

from firmware_bridge.errors import PortMissing, PortUnusable
from firmware_bridge.port import BAUDRATE
from firmware_bridge.usb import UsbDevice

_LISTED_MAX: Final = 12

Ports = Callable[[], Iterable[ListPortInfo]]


@dataclass(frozen=True, slots=True)
class UsbMatch:
    """A serial port by its USB device; what is None may be anything.

    ``location`` is the place where it is plugged in, ``1-2.3``: for devices without a serial number.
    """

    vid: int | None = None
    pid: int | None = None
    serial: str | None = None
    location: str | None = None

    def fits(self, port: ListPortInfo) -> bool:
        """Whether the port is such a one."""
        # The kernel's name of a place ends in the interface: 1-2.3:1.0
        place = (port.location or "").split(":")[0]
        return (
            port.vid is not None
            and self.vid in (None, port.vid)
            and self.pid in (None, port.pid)
            and self.serial in (None, port.serial_number)
            and self.location in (None, port.location, place)
        )

    def __str__(self) -> str:
        ids = f"{_hex(self.vid)}:{_hex(self.pid)}"
        serial = f" serial {self.serial}" if self.serial else ""
        return f"USB {ids}{serial}" + (f" at {self.location}" if self.location else "")


@dataclass(frozen=True, slots=True)
class PortSource:
    """Where a device is found: a path or URL, or a `UsbMatch`; and its baud rate."""

    port: str | UsbMatch
    baudrate: int = BAUDRATE

    def __str__(self) -> str:
        return str(self.port)

    def resolve(self, *, ports: Ports = comports, usb: Sequence[UsbDevice] = ()) -> str:
        """The path or URL to open now.

        ``ports`` lists the serial ports, ``usb`` adds other USB devices to the text of the error. Raises
        `PortMissing` where none fits, naming what is plugged in, and `PortUnusable` where several fit.
        """
        match = self.port
        if isinstance(match, str):
            return match
        present = sorted(ports(), key=lambda port: port.device)
        fitting = [port for port in present if match.fits(port)]
        if len(fitting) > 1:
            names = ", ".join(port.device for port in fitting)
            raise PortUnusable(str(self), f"several ports fit: {names}", "add a serial number or a location")
        if not fitting:
            raise self.missing(ports=lambda: present, usb=usb)
        return fitting[0].device

    def missing(self, *, ports: Ports = comports, usb: Sequence[UsbDevice] = ()) -> PortMissing:
        """The error that says that it is not there, and what is plugged in instead."""
        return PortMissing(
            str(self),
            f"no such port; plugged in now: {plugged_in(ports(), usb)}",
            "plug the device in, or correct the configuration",
        )


def plugged_in(ports: Iterable[ListPortInfo], usb: Sequence[UsbDevice] = ()) -> str:
    """What is there, for an error's text: serial ports, then USB devices that are none of them."""
    present = list(ports)
    serial = [_describe(port) for port in present]
    ids = {(port.vid, port.pid) for port in present}
    others = [str(device) for device in usb if (device.vid, device.pid) not in ids]
    named = serial + others
    more = len(named) - _LISTED_MAX
    return ", ".join(named[:_LISTED_MAX] + ([f"{more} more"] if more > 0 else [])) or "nothing"


def _describe(port: ListPortInfo) -> str:
    if port.vid is None:
        return port.device
    match = UsbMatch(port.vid, port.pid, port.serial_number, (port.location or "").split(":")[0] or None)
    return f"{port.device} ({match})"


def _hex(number: int | None) -> str:
    return "any" if number is None else f"{number:04x}"
