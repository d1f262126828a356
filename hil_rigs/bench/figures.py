"""What was measured, as it is told: spreads, results with their baselines and bounds, one report."""

import math
import statistics
from collections.abc import Sequence
from typing import Final

import msgspec

SCHEMA: Final = 1


class Spread(msgspec.Struct, frozen=True):
    """Median and 99th percentile of `n` samples."""

    p50: float
    p99: float
    n: int


class Baseline(msgspec.Struct, frozen=True, omit_defaults=True):
    """The bare thing that was measured in the same run, in the result's unit."""

    name: str
    p50: float
    p99: float | None = None
    n: int | None = None


class Bound(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is promised, in the result's unit.

    `difference_max` is for the difference of medians to the baseline; `value_max` and `value_min` are for the
    one figure, which of a spread is the median; `ratio_min` is for how many times the baseline it is.
    """

    difference_max: float | None = None
    p99_max: float | None = None
    value_max: float | None = None
    value_min: float | None = None
    ratio_min: float | None = None


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing measured. It has either a `value` or a median and a 99th percentile, over `n` samples.

    `difference` and `ratio` compare the figure with the baseline's median; `within` says whether every bound
    is kept.
    """

    name: str
    about: str
    unit: str
    n: int
    value: float | None = None
    p50: float | None = None
    p99: float | None = None
    baseline: Baseline | None = None
    difference: float | None = None
    ratio: float | None = None
    bound: Bound | None = None
    within: bool | None = None

    @property
    def figure(self) -> float:
        """The one figure: the value, or the median."""
        return (self.value if self.value is not None else self.p50) or 0.0


class Report(msgspec.Struct, frozen=True):
    """A whole run."""

    schema: int
    cutcard: str
    python: str
    cpus: int
    quick: bool
    results: tuple[Result, ...]


def spread(samples: Sequence[float]) -> Spread:
    """Median, and 99th percentile by nearest rank; of no samples all is 0."""
    ordered = sorted(samples)
    if not ordered:
        return Spread(0.0, 0.0, 0)
    nearest = max(0, math.ceil(len(ordered) * 0.99) - 1)
    return Spread(_rounded(statistics.median(ordered)), _rounded(ordered[nearest]), len(ordered))


def beside(name: str, samples: Sequence[float]) -> Baseline:
    """The baseline of that name."""
    of = spread(samples)
    return Baseline(name, of.p50, of.p99, of.n)


def spread_result(
    name: str,
    about: str,
    unit: str,
    samples: Sequence[float],
    *,
    baseline: Baseline | None = None,
    bound: Bound | None = None,
) -> Result:
    """A result that is a spread of samples."""
    of = spread(samples)
    return _judged(
        Result(name, about, unit, of.n, p50=of.p50, p99=of.p99, baseline=baseline, bound=bound), of.n > 0
    )


def value_result(
    name: str,
    about: str,
    unit: str,
    value: float,
    *,
    n: int,
    baseline: Baseline | None = None,
    bound: Bound | None = None,
) -> Result:
    """A result that is one figure."""
    return _judged(Result(name, about, unit, n, value=_rounded(value), baseline=baseline, bound=bound), n > 0)


def _judged(result: Result, measured: bool) -> Result:  # noqa: FBT001
    base, bound = result.baseline, result.bound
    difference = _rounded(result.figure - base.p50) if base else None
    ratio = _rounded(result.figure / base.p50) if base and base.p50 else None
    kept = None
    if bound is not None:
        kept = measured and all(
            (
                bound.difference_max is None
                or (difference is not None and difference <= bound.difference_max),
                bound.p99_max is None or (result.p99 is not None and result.p99 <= bound.p99_max),
                bound.value_max is None or result.figure <= bound.value_max,
                bound.value_min is None or result.figure >= bound.value_min,
                bound.ratio_min is None or (ratio is not None and ratio >= bound.ratio_min),
            )
        )
    return msgspec.structs.replace(result, difference=difference, ratio=ratio, within=kept)


def _rounded(figure: float) -> float:
    return float(f"{figure:.4g}") if abs(figure) < 1000 else float(round(figure))
