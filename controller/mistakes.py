"""What is wrong with a value that somebody wrote into a file, and where in it, as a person would say it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

import msgspec
from msgspec import inspect

_MOST_LISTED: Final = 20
"""Of more names than these only the near ones are told."""
_LIKENESS: Final = 0.6
_LETTERS_COMPARED: Final = 64

_AT: Final = re.compile(r"(.*) - at (`key` in )?`\$([^`]*)`", re.DOTALL)
_STEP: Final = re.compile(r"\.(\w+)|\[(\d+)\]|(\[\.\.\.\])")
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING: Final = re.compile(r"Object missing required field `(.*)`", re.DOTALL)
_EXPECTED: Final = re.compile(r"Expected `[^`]*`, got (.*)")
_NO_VALUE: Final = re.compile(r"Invalid (?:enum )?value (.*)", re.DOTALL)

_WORDS: Final = (
    (r"( \| null)", ""),
    (r"`int \| str`", "a whole number or a text"),
    (r"`int`", "a whole number"),
    (r"`str`", "a text"),
    (r"`bool`", "true or false"),
    (r"`array`", "a list"),
    (r"`object`", "a table"),
    (r"`float`", "a number"),
    (r"(\d)\.0\b", r"\1"),
    (r"matching regex '\^\[0-9A-Fa-f\]\{1,4\}\$'", "of up to four hexadecimal digits"),
    (r"matching regex '\^\[0-9a-f\]\{64\}\$'", "of 64 hexadecimal digits, in small letters"),
    (r"matching regex '\^\(\[0-9a-f\]\{2\}\)\+\$'", "of pairs of hexadecimal digits, in small letters"),
    (r"matching regex '\^\[0-9\]\{4\}-.*'", "that is a day, as 2026-11-30 is one"),
    (r"matching regex '\^\[0-9T:Z-\].*'", "that is a time, as 2026-11-30T20:00:00Z is one"),
    (r"matching regex '\^\[ -~\]\*\$'", "of printable letters of ASCII"),
    (
        r"matching regex '\^\[!-~\].*'",
        "of 1 to 12 printable letters of ASCII, that neither begins nor ends with a space",
    ),
)
"""What msgspec says, and how a person says it."""


def no_such(said: object, among: Iterable[object], *, what: str = "", listed: str = "") -> str:
    """That there is no such name: which one may have been meant, and which there are.

    `what` is what it would be the name of; `listed` says where all are told if they are many.
    """
    plain = what and isinstance(said, str) and re.fullmatch(r"[\w.:-]+", said)
    named = f"{what} {said if plain else repr(said)}" if what else repr(said)
    return f"there is no {named}{advice(said, among, listed)}"


def advice(said: object, among: Iterable[object], listed: str = "") -> str:
    """What follows a name that there is not: which one may have been meant, and which there are."""
    names = [str(name) for name in among]
    near = get_close_matches(str(said)[:_LETTERS_COMPARED], names, n=2, cutoff=_LIKENESS)
    if len(names) == 1:
        there = f"there is {names[0]} alone"
    elif len(names) <= _MOST_LISTED:
        there = f"there are {', '.join(names)}" if names else ""
    else:
        there = "" if near else listed
    if not near:
        return f"; {there}" if there else ""
    return f": did you mean {' or '.join(near)}?{' ' if there else ''}{there[:1].upper()}{there[1:]}"


@dataclass(frozen=True)
class Mistake:
    """What does not fit in a value of tables and lists: at which keys and items, from 0, of it, and why.

    The keys lead to an unknown key too, and to one that is missing. `told` is the reason as it is said where
    the keys are not, with the last of them in it.
    """

    path: tuple[str | int, ...]
    why: str
    told: str


def mistake(error: msgspec.ValidationError, value: object, kind: type) -> Mistake:
    """What msgspec found wrong when it converted a value of tables and lists to a kind of struct."""
    message = str(error)
    found = _AT.fullmatch(message)
    why, in_key, place = (found[1], found[2], found[3]) if found else (message, None, "")
    path: list[str | int] = []
    for key, number, any_key in _STEP.findall(place):
        if any_key:
            path += _failing(message, value, kind, path)
        else:
            path.append(key or int(number))
    if in_key:
        path += _failing(message, value, kind, path)
    types = _types_at(inspect.type_info(kind), value, path[:-1] if in_key else path)
    if unknown := _UNKNOWN.fullmatch(why):
        keys = [name for each in types for name in _keys_of(each)]
        told = no_such(unknown[1], keys, what="key")
        return Mistake((*path, unknown[1]), f"there is no such key{advice(unknown[1], keys)}", told)
    if missing := _MISSING.fullmatch(why):
        return Mistake((*path, missing[1]), "it is missing", f"the key {missing[1]} is missing")
    if _NO_VALUE.fullmatch(why):
        said: object = path[-1] if in_key else _at(value, path)
        why = no_such(said, [name for each in types for name in _values_of(each)])
    elif (kinds := _EXPECTED.fullmatch(why)) and any(isinstance(each, inspect.LiteralType) for each in types):
        names = [str(name) for each in types for name in _values_of(each)]
        why = f"expected {' or '.join(names)}, got {_in_words(kinds[1])}"
    else:
        why = _in_words(why)
    last = next((step for step in reversed(path) if isinstance(step, str)), "")
    return Mistake(tuple(path), why, f"{last}: {why}" if last else why)


def _in_words(why: str) -> str:
    why = why[:1].lower() + why[1:]
    for technical, said in _WORDS:
        why = re.sub(technical, said, why)
    return why


def _at(value: object, path: Iterable[str | int]) -> object:
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list | tuple) and step < len(value) else None
        else:
            value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _failing(message: str, value: object, kind: type, path: list[str | int]) -> list[str | int]:
    """The key below a path, which msgspec does not name, that alone leads to the same error."""
    below = _at(value, path)
    for key, held in below.items() if isinstance(below, Mapping) else ():
        try:
            msgspec.convert(_with(value, path, {key: held}), kind, str_keys=True)
        except msgspec.ValidationError as error:
            if str(error) == message:
                return [key]
    return []


def _with(value: object, path: list[str | int], put: object) -> object:
    """The value with something else at a path."""
    if not path:
        return put
    step, rest = path[0], path[1:]
    if isinstance(value, Mapping):
        return {**value, step: _with(value[step], rest, put)}
    if isinstance(value, list | tuple) and isinstance(step, int):
        return [_with(each, rest, put) if at == step else each for at, each in enumerate(value)]
    return value


def _types_at(kind: inspect.Type, value: object, path: Iterable[str | int]) -> list[inspect.Type]:
    """The types that what stands at a path may have; of structs told apart by a tag the one it says."""
    types = _apart(kind, value)
    for step in path:
        below = _at(value, (step,))
        types = [found for each in types for deeper in _below(each, step) for found in _apart(deeper, below)]
        value = below
    return types


def _apart(kind: inspect.Type, value: object) -> list[inspect.Type]:
    kinds = list(kind.types) if isinstance(kind, inspect.UnionType) else [kind]
    tagged = [each for each in kinds if isinstance(each, inspect.StructType) and each.tag_field is not None]
    said: list[inspect.Type] = [each for each in tagged if _at(value, (str(each.tag_field),)) == each.tag]
    return said or kinds


def _below(kind: inspect.Type, step: str | int) -> list[inspect.Type]:
    match kind:
        case inspect.StructType(fields=fields, tag_field=tag_field, tag=tag):
            if step == tag_field:
                return [inspect.LiteralType((tag,))]
            return [each.type for each in fields if each.encode_name == step]
        case inspect.DictType(value_type=held):
            return [held]
        case inspect.ListType(item_type=held) | inspect.VarTupleType(item_type=held):
            return [held]
        case inspect.TupleType(item_types=held_each) if isinstance(step, int) and step < len(held_each):
            return [held_each[step]]
        case _:
            return []


def _keys_of(kind: inspect.Type) -> list[str]:
    if not isinstance(kind, inspect.StructType):
        return []
    tag = [kind.tag_field] if kind.tag_field is not None else []
    return [*tag, *(each.encode_name for each in kind.fields)]


def _values_of(kind: inspect.Type) -> list[object]:
    match kind:
        case inspect.LiteralType(values=values):
            return list(values)
        case inspect.DictType(key_type=inspect.LiteralType(values=values)):
            return list(values)
        case inspect.IntType():
            return ["a whole number"]
        case _:
            return []
