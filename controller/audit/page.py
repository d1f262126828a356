"""A hand explained as one page of HTML that needs nothing else: no script, no picture, no other file.

Names and reasons are typed by people: every text goes through `_text`.
"""

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from controller.audit.account import Account, clock
from controller.audit.telling import Said
from controller.audit.words import Words

_STYLE: Final = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.2rem; max-width: 50rem; color: #1a1a1a; background: #fff;
  font: 16px/1.45 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; }
.when { color: #555; font-size: .9rem; margin: .2rem 0 .8rem; }
h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; border-bottom: 1px solid #bbb; padding-bottom: .2rem; }
ul, ol { margin: .3rem 0; padding: 0; list-style: none; }
p { margin: .3rem 0; overflow-wrap: anywhere; }
.broken { border: 3px solid #b00020; background: #fdecee; color: #8a0019; font-weight: 600;
  padding: .7rem .9rem; margin: 0 0 1rem; }
.opened { border: 3px dashed #5b3a8c; background: #f5f0fb; color: #43296b; font-weight: 600;
  padding: .7rem .9rem; margin: 0 0 1rem; }
section > h2:first-child { margin-top: .2rem; }
main section > h2:first-child { margin-top: 1.6rem; }
.short, .proof { margin: 0 0 .8rem; }
.short { border-left: 4px solid #3a6ea5; background: #f2f6fa; padding: .5rem .9rem; }
.proof { border-left: 4px solid #2e7d4f; padding: .2rem .9rem; font-size: .9rem; color: #333; }
.proof.not { border-color: #b00020; }
li.said { display: grid; grid-template-columns: 4.4rem 1fr; gap: .1rem .7rem; padding: .22rem 0; }
time { font-variant-numeric: tabular-nums; color: #555; font-size: .9rem; padding-top: .05rem; }
li.said p { margin: 0; }
.more { grid-column: 2; font-size: .88rem; color: #555; padding-left: .8rem; }
.known { font-size: .8rem; white-space: nowrap; }
.known.seen { color: #2e7d4f; }
.known.inferred { color: #8a4b00; font-style: italic; border-bottom: 1px dashed #8a4b00; }
.known.stated, .known.floor, .known.staff { color: #5b3a8c; font-weight: 600; border: 1px solid #5b3a8c;
  border-radius: .6rem; padding: 0 .35rem; }
.entry { color: #767676; font-size: .78rem; white-space: nowrap; }
.face { font-weight: 700; border: 1px solid #999; border-radius: .2rem; padding: 0 .25rem;
  white-space: nowrap; }
li.ruling, li.floor, li.alert { background: #fff6e5; border-left: 4px solid #c77700; padding-left: .5rem; }
li.alert { background: #fdecee; border-color: #b00020; }
.result { font-weight: 600; }
footer { margin-top: 2rem; border-top: 1px solid #bbb; padding-top: .5rem; font-size: .85rem; color: #555; }
@media (max-width: 30rem) { body { padding: .8rem; } li.said { grid-template-columns: 1fr; }
  .more { grid-column: 1; } }
@media print { body { max-width: none; padding: 0; font-size: 11pt; } li.said, .short, .proof {
  break-inside: avoid; } h2 { break-after: avoid; } }
""".strip()


def page_of(account: Account, words: Words) -> str:
    """The whole page."""
    return "\n".join(_page(account, words)) + "\n"


def _page(account: Account, words: Words) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield (
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    )
    yield f"<title>{_text(account.title)}</title>"
    yield f"<style>{_STYLE}</style>"
    yield "</head>"
    yield "<body>"
    if account.broken:
        yield f'<div class="broken" role="alert">{_paragraphs(account.broken)}</div>'
    if account.opened:
        yield f'<div class="opened">{_paragraphs([account.opened])}</div>'
    yield f"<h1>{_text(account.title)}</h1>"
    yield f'<p class="when">{_text(account.when)}</p>'
    yield f'<section class="short"><h2>{_text(words.page("short"))}</h2>'
    yield f"{_paragraphs(account.short)}</section>"
    kind = "proof not" if account.broken else "proof"
    heading = _text(words.page("not-proof" if account.broken else "proof"))
    yield f'<section class="{kind}"><h2>{heading}</h2>{_paragraphs(account.verified)}</section>'
    yield "<main>"
    for chapter in account.chapters:
        yield f"<section><h2>{_text(chapter.heading)}</h2><ol>"
        yield from (_item(said, words) for said in chapter.said)
        yield "</ol></section>"
    yield "</main>"
    yield f"<footer>{_paragraphs(account.legend)}</footer>"
    yield "</body>"
    yield "</html>"


def _item(said: Said, words: Words) -> str:
    face = f' <span class="face">{_text(said.face)}</span>' if said.face else ""
    proof = f' <span class="known {_text(said.how)}">{_text(said.proof)}</span>' if said.proof else ""
    entry = f'<span class="entry">{_text(words.page("number"))} {said.entry}</span>'
    more = f'<ul class="more">{"".join(f"<li>{_text(line)}</li>" for line in said.more)}</ul>' * bool(
        said.more
    )
    when = f'<time datetime="{_text(said.at)}">{_text(clock(said))}</time>'
    return f'<li class="said {said.kind}">{when}<p>{_text(said.text)}{face}{proof} {entry}</p>{more}</li>'


def _paragraphs(lines: Iterable[str]) -> str:
    return "".join(f"<p>{_text(line)}</p>" for line in lines)


def _text(text: str) -> str:
    """A text that a browser shows as it is, whatever it is made of."""
    return escape("".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text), quote=True)
