"""Texts in the letters that a display has: what it cannot show is spelled in Latin letters, never as a
question mark.

Accents go (`più` becomes `piu`), Greek follows the table below: ISO 843 as it is read on signs and passports.
"""

import unicodedata
from typing import Final, Literal

Charset = Literal["ascii", "latin-1", "utf-8"]
CHARSETS: Final[tuple[Charset, ...]] = ("ascii", "latin-1", "utf-8")

_HIGHEST: Final[dict[Charset, int]] = {"ascii": 0x7F, "latin-1": 0xFF, "utf-8": 0x10FFFF}

_LETTERS: Final = "αβγδεζηθικλμνξοπρσςτυφχψω"
_LATIN: Final = "a v g d e z i th i k l m n x o p r s s t y f ch ps o"

GREEK: Final = {
    **dict(zip(_LETTERS, _LATIN.split(), strict=True)),
    **dict(zip(("γγ", "γξ", "γχ", "ου", "ού"), ("ng", "nx", "nch", "ou", "ou"), strict=True)),
    **dict(zip(("αυ", "αύ", "ευ", "εύ"), ("av", "av", "ev", "ev"), strict=True)),
    **{
        f"{first}{second}{third}": f"{latin}f{spelled}"
        for first, latin in (("α", "a"), ("ε", "e"))
        for second in "υύ"
        for third, spelled in zip("θκξπστφχψ", ("th", "k", "x", "p", "s", "t", "f", "ch", "ps"), strict=True)
    },
}
"""Greek letters and groups of them in Latin letters; of several that begin alike the longest counts."""

GREEK_FIRST: Final = {"μπ": "b"}
"""The same for the beginning of a word."""

SIGNS: Final = {
    "–": "-",
    "—": "-",
    "’": "'",
    "‘": "'",
    "“": '"',
    "”": '"',
    "…": "...",
    "·": ".",
    "ß": "ss",
    "€": "EUR",
}
"""Signs that no accent explains."""

_LONGEST: Final = max(map(len, GREEK))


def spelled(text: str, charset: Charset) -> str:
    """The text in characters of a set, each one column wide; what has no spelling is left out."""
    text = unicodedata.normalize("NFC", text)
    if text.isascii() or charset == "utf-8":
        return text
    written: list[str] = []
    at = 0
    while at < len(text):
        if ord(text[at]) <= _HIGHEST[charset]:
            written.append(text[at])
            at += 1
            continue
        begins = not (at and text[at - 1].isalpha())
        group, latin = _group(text[at : at + _LONGEST], GREEK_FIRST | GREEK if begins else GREEK)
        written.append(latin)
        at += len(group)
    return "".join(written)


def unspelled(text: str) -> str:
    """The characters of a text that no spelling is known for, or that have no width of their own."""
    text = unicodedata.normalize("NFC", text)
    return "".join(
        sorted(
            {sign for sign in text if not sign.isprintable() or (sign != " " and not spelled(sign, "ascii"))}
        )
    )


def _group(text: str, known: dict[str, str]) -> tuple[str, str]:
    """The longest group that a text begins with, and its spelling."""
    for length in range(len(text), 0, -1):
        group = text[:length]
        latin = known.get(group.lower())
        if latin is not None:
            return group, _capital(latin, group)
    return text[0], _plain(text[0])


def _plain(sign: str) -> str:
    """A sign without its accents."""
    if sign in SIGNS:
        return SIGNS[sign]
    bare = "".join(part for part in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(part))
    if bare.isascii():
        return bare
    return _capital(GREEK.get(bare.lower(), ""), bare)


def _capital(latin: str, written: str) -> str:
    """A spelling in capitals as far as what it stands for has them."""
    if len(written) > 1 and written.isupper():
        return latin.upper()
    return latin.capitalize() if written[:1].isupper() else latin
