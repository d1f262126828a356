"""Discovery: from what stays to what can be opened now."""

import pytest
from serial.tools.list_ports_common import ListPortInfo

from firmware_bridge.discovery import PortSource, UsbMatch, plugged_in
from firmware_bridge.errors import PortMissing, PortUnusable
from firmware_bridge.usb import UsbDevice


def _port(
    device: str, vid: int | None, pid: int | None, serial: str | None, place: str | None
) -> ListPortInfo:
    port = ListPortInfo(device, skip_link_detection=True)
    port.vid, port.pid, port.serial_number, port.location = vid, pid, serial, place
    return port


SHOE = _port("/dev/ttyACM0", 0x1209, 0x0001, "SH-7", "1-2.3:1.0")
KEYPAD = _port("/dev/ttyACM1", 0x1209, 0x0001, "KP-1", "1-2.4:1.0")
BOARD = _port("/dev/ttyS0", None, None, None, None)


def _present() -> list[ListPortInfo]:
    return [BOARD, KEYPAD, SHOE]


@pytest.mark.parametrize("name", ["/dev/serial/by-id/usb-shoe", "socket://bench:7000", "COM3"])
def test_a_path_or_url_is_what_is_opened(name: str) -> None:
    source = PortSource(name)
    assert source.resolve(ports=_present) == name == str(source)


@pytest.mark.parametrize(
    "match",
    [
        UsbMatch(serial="SH-7"),
        UsbMatch(0x1209, 1, location="1-2.3"),
        UsbMatch(location="1-2.3:1.0"),
        UsbMatch(0x1209, 0x0001, "SH-7", "1-2.3"),
    ],
)
def test_a_match_finds_its_port(match: UsbMatch) -> None:
    assert PortSource(match).resolve(ports=_present) == "/dev/ttyACM0"


@pytest.mark.case(16)
def test_a_match_is_resolved_anew_each_time() -> None:
    """ttyACM0 comes back as ttyACM5."""
    present = [SHOE]
    source = PortSource(UsbMatch(serial="SH-7"))
    assert source.resolve(ports=lambda: present) == "/dev/ttyACM0"
    present[0] = _port("/dev/ttyACM5", 0x1209, 1, "SH-7", "1-2.3:1.0")
    assert source.resolve(ports=lambda: present) == "/dev/ttyACM5"


def test_where_none_fits_the_error_names_what_is_plugged_in() -> None:
    source = PortSource(UsbMatch(0x1209, 1, "SH-9"))
    with pytest.raises(PortMissing) as caught:
        source.resolve(ports=_present, usb=[UsbDevice(0x1209, 1, "1-2.3"), UsbDevice(0x04E6, 0x5591, "1-4")])
    assert str(caught.value) == (
        "USB 1209:0001 serial SH-9: no such port; plugged in now: "
        "/dev/ttyACM0 (USB 1209:0001 serial SH-7 at 1-2.3), "
        "/dev/ttyACM1 (USB 1209:0001 serial KP-1 at 1-2.4), "
        "/dev/ttyS0, 04e6:5591 at 1-4; plug the device in, or correct the configuration"
    )


def test_a_match_that_several_ports_fit_is_no_match() -> None:
    with pytest.raises(PortUnusable, match="several ports fit: /dev/ttyACM0, /dev/ttyACM1"):
        PortSource(UsbMatch(0x1209)).resolve(ports=_present)


def test_a_port_that_is_no_usb_device_fits_no_match() -> None:
    with pytest.raises(PortMissing):
        PortSource(UsbMatch()).resolve(ports=lambda: [BOARD])


def test_nothing_plugged_in_is_said_and_a_long_list_is_cut() -> None:
    assert plugged_in([]) == "nothing"
    assert plugged_in([_port(f"/dev/ttyS{n}", None, None, None, None) for n in range(20)]).endswith("8 more")


def test_the_machines_own_ports_can_be_listed() -> None:
    with pytest.raises(PortMissing, match="plugged in now"):
        PortSource(UsbMatch(0xDEAD, 0xBEEF)).resolve()
