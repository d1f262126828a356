"""The listing of USB devices, over a backend that is no hardware."""

import array
import errno
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
import usb.backend
import usb.core
import usb.util
from pytest_mock import MockerFixture

from firmware_bridge.usb import UsbDevice, list_devices

STRINGS = {1: "Cutcard", 2: "Shoe  Reader", 3: "SH-7"}


class FakeBackend(usb.backend.IBackend):  # type: ignore[misc]
    """Two devices; what the one at address 5 says of itself cannot be read."""

    def __init__(self) -> None:
        self.open: set[int] = set()

    def enumerate_devices(self) -> Iterator[int]:
        return iter((5, 4))

    def get_device_descriptor(self, address: int) -> SimpleNamespace:
        return SimpleNamespace(
            bLength=18,
            bDescriptorType=1,
            bcdUSB=0x200,
            bDeviceClass=0,
            bDeviceSubClass=0,
            bDeviceProtocol=0,
            bMaxPacketSize0=64,
            idVendor=0x1209,
            idProduct=address,
            bcdDevice=0x100,
            iManufacturer=1,
            iProduct=2,
            iSerialNumber=3 if address == 4 else 0,
            bNumConfigurations=0,
            bus=1,
            address=address,
            port_number=3,
            port_numbers=(2, address),
            speed=2,
        )

    def open_device(self, address: int) -> int:
        self.open.add(address)
        return address

    def close_device(self, handle: int) -> None:
        self.open.discard(handle)

    def ctrl_transfer(
        self,
        handle: int,
        kind: int,
        request: int,
        value: int,
        index: int,
        data: "array.array[int]",
        timeout: int,
    ) -> int:
        if handle == 5:
            raise usb.core.USBError("gone", -4, errno.ENODEV)
        text = STRINGS.get(value & 0xFF)
        body = b"\x09\x04" if text is None else text.encode("utf-16-le")
        descriptor = bytes((len(body) + 2, 3)) + body
        data[: len(descriptor)] = array.array("B", descriptor)
        return len(descriptor)


@pytest.mark.case(34, 35)
def test_case_34_devices_are_listed_with_what_they_say_and_none_is_kept_open(mocker: MockerFixture) -> None:
    """A handle that stays open keeps others out."""
    dispose = mocker.spy(usb.util, "dispose_resources")
    backend = FakeBackend()
    assert list_devices(backend) == [
        UsbDevice(0x1209, 4, "1-2.4", "Cutcard", "Shoe Reader", "SH-7"),
        UsbDevice(0x1209, 5, "1-2.5"),
    ]
    assert backend.open == set()
    assert dispose.call_count == 2
    assert [str(device) for device in list_devices(backend)] == [
        "1209:0004 at 1-2.4 (Cutcard Shoe Reader SH-7)",
        "1209:0005 at 1-2.5",
    ]


def test_case_35_a_device_that_was_gone_is_looked_for_anew_and_no_dead_one_is_kept(
    mocker: MockerFixture,
) -> None:
    """After a reset the old object is dead, and compares equal to the new one: none outlives a listing."""
    backend = FakeBackend()
    gone = list_devices(backend)[1]
    tells = FakeBackend.ctrl_transfer

    def transfer(self: FakeBackend, handle: int, *rest: object) -> int:
        return tells(self, 4 if handle == 5 else handle, *rest)  # type: ignore[arg-type]

    mocker.patch.object(FakeBackend, "ctrl_transfer", transfer)
    back = list_devices(backend)[1]
    assert (gone.product, back.product) == (None, "Shoe Reader")
    assert not any(isinstance(getattr(back, name), usb.core.Device) for name in back.__slots__)
    assert backend.open == set()


def test_without_libusb_nothing_is_listed(mocker: MockerFixture) -> None:
    mocker.patch("usb.core.find", side_effect=usb.core.NoBackendError("No backend available"))
    assert list_devices() == []


@pytest.mark.case(37)
@pytest.mark.parametrize(
    "error",
    [
        ValueError("no langid"),
        NotImplementedError(),
        usb.core.USBError("no", -3, errno.EACCES),
        usb.core.USBError("busy", -6, errno.EBUSY),
        usb.core.USBError("of libusb0, which tells no number"),
        usb.core.USBTimeoutError("late", -7, errno.ETIMEDOUT),
    ],
    ids=str,
)
def test_case_37_what_a_device_does_not_tell_stays_unknown(mocker: MockerFixture, error: Exception) -> None:
    """What is raised differs by backend."""
    mocker.patch.object(FakeBackend, "ctrl_transfer", side_effect=error)
    assert [device.product for device in list_devices(FakeBackend())] == [None, None]
