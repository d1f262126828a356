"""A report as a table for a person."""

from rich.console import Console
from rich.table import Table

from hil_rigs.bench.figures import Baseline, Bound, Report, Result

_UNITS = {"us": "µs"}


def show(report: Report, console: Console) -> None:
    """Prints it."""
    title = f"cutcard {report.cutcard} · Python {report.python} · {report.cpus} cores"
    table = Table(
        title=title,
        caption=_caption(report),
        title_justify="left",
        caption_justify="left",
        box=None,
        padding=(0, 1, 0, 0),
    )
    for heading in ("what", "median", "p99", "bare", "ratio", "bound", "kept"):
        numbers = heading in ("median", "p99", "bare", "ratio")
        table.add_column(heading, justify="right" if numbers else "left", no_wrap=True)
    for result in report.results:
        table.add_row(*_row(result))
    console.print(table)
    for result in report.results:
        bare = _bare(result.baseline) if result.baseline else ""
        console.print(f"[bold]{result.name}[/]: {result.about}{bare}; n = {result.n}", highlight=False)


def _row(result: Result) -> tuple[str, ...]:
    baseline = result.baseline
    verdict = {None: "", True: "[green]yes[/]", False: "[red]no[/]"}[result.within]
    return (
        result.name,
        f"{_figure(result.figure)} {_UNITS.get(result.unit, result.unit)}",
        "" if result.p99 is None else _figure(result.p99),
        "" if baseline is None else _figure(baseline.p50),
        "" if result.ratio is None else f"{_figure(result.ratio)}",
        "" if result.bound is None else _bound(result.bound),
        verdict,
    )


def _bare(baseline: Baseline) -> str:
    p99 = "" if baseline.p99 is None else f", p99 {_figure(baseline.p99)}"
    return f"; bare: {baseline.name}{p99}"


def _bound(bound: Bound) -> str:
    said = (
        ("bare + {}", bound.difference_max),
        ("p99 {}", bound.p99_max),
        ("at most {}", bound.value_max),
        ("at least {}", bound.value_min),
        ("ratio {}", bound.ratio_min),
    )
    return "\n".join(words.format(_figure(most)) for words, most in said if most is not None)


def _figure(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:.3g}"


def _caption(report: Report) -> str:
    quick = "A quick run: too few samples to tell a bound by. " if report.quick else ""
    return f"{quick}Compare rows of one run, not runs of two machines."
