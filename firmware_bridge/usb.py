"""Which USB devices are plugged in, by pyusb: for a technician's eyes, never for a poll loop.

Reading descriptions asks the devices themselves; without libusb looking for it takes a tenth of a second.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import usb.core
import usb.util

_FAILURES: Final = (usb.core.USBError, ValueError, NotImplementedError)


@dataclass(frozen=True, slots=True)
class UsbDevice:
    """A USB device: its ids, its place (``location`` as ``1-2.3``), and what it says of itself."""

    vid: int
    pid: int
    location: str
    manufacturer: str | None = None
    product: str | None = None
    serial: str | None = None

    def __str__(self) -> str:
        said = " ".join(text for text in (self.manufacturer, self.product, self.serial) if text)
        return f"{self.vid:04x}:{self.pid:04x} at {self.location}" + (f" ({said})" if said else "")


def list_devices(backend: object | None = None) -> list[UsbDevice]:
    """All USB devices that can be seen, in order of their places; none where there is no libusb.

    ``backend`` is a ``usb.backend.IBackend``; None takes what pyusb finds. What a device does not tell (it
    is held by another program, or unplugged just now) stays None. No device is kept or claimed.
    """
    try:
        found = list(usb.core.find(find_all=True, backend=backend))
    except usb.core.NoBackendError:
        return []
    return sorted((_described(device) for device in found), key=lambda device: device.location)


def _described(device: usb.core.Device) -> UsbDevice:
    ports = ".".join(map(str, device.port_numbers or ())) or str(device.address)
    try:
        return UsbDevice(
            device.idVendor,
            device.idProduct,
            f"{device.bus}-{ports}",
            _told(lambda: device.manufacturer),
            _told(lambda: device.product),
            _told(lambda: device.serial_number),
        )
    finally:
        # A handle that stays open keeps others out of the device.
        usb.util.dispose_resources(device)


def _told(read: Callable[[], str | None]) -> str | None:
    try:
        text = read()
    except _FAILURES:
        return None
    return " ".join(text.split()) if text else None
