"""CRC-16/IBM-3740 (docs/protocol.md section 1): polynomial 0x1021, start 0xFFFF, not reflected."""

_POLYNOMIAL = 0x1021


def _of_byte(byte: int) -> int:
    value = byte << 8
    for _ in range(8):
        value = (value << 1) ^ _POLYNOMIAL if value & 0x8000 else value << 1
    return value & 0xFFFF


_TABLE = tuple(_of_byte(byte) for byte in range(256))


def crc16(data: bytes) -> int:
    """Return the CRC of `data` as a number of 16 bits; on the line it goes low byte first."""
    value = 0xFFFF
    for byte in data:
        value = ((value << 8) & 0xFFFF) ^ _TABLE[(value >> 8) ^ byte]
    return value
