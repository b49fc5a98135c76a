"""What style sheets and attributes hide or strike out is hidden and struck out; what they do not is shown."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adapters.conversion.markup import rebuilt
from adapters.conversion.readers import read_markdown

Y = "Alle Steuern steigen."
UNSEEN = (
    "<style>.x{display:none}</style><p class=x>Y</p>",
    "<style>p.x>b{visibility:hidden}</style><p class=x><b>Y</b></p>",
    "<style>[data-old]{display:none}</style><p data-old>Y</p>",
    "<style>.o{position:absolute;left:-9999px}</style><p class=o>Y</p>",
    "<style>.f{font-size:0}</style><p class=f>Y</p>",
    "<p hidden>Y</p>",
    "<style>.w{color:white}</style><p class=w>Y</p>",
    "<style>.w{color:#fff;background:#fff}</style><p class=w>Y</p>",
    "<style>.w{opacity:0}</style><div class=w><p>Y</p></div>",
    "<style>div p:nth-child(2){display:none}</style><div><p>a</p><p>Y</p></div>",
    '<style>@media screen{.x{display:none!important}}</style><p class=x style="display:block">Y</p>',
    "<style>.sr{clip:rect(0,0,0,0);position:absolute;width:1px}</style><p class=sr>Y</p>",
    "<style>.a{.b{display:none}}</style><div class=a><p class=b>Y</p></div>",
    "<style>.a{text-indent:-9999px}</style><p class=a>Y</p>",
    "<style>:root{--h:none}.a{display:var(--h)}</style><p class=a>Y</p>",
    '<p style="color:transparent">Y</p>',
    "<font color=white>Y</font>",
    "<body bgcolor=black text=black><p>Y</p>",
    "<style>.x{clip-path:inset(50%)}</style><p class=x>Y</p>",
    "<style>p:not(.keep){display:none}</style><p>Y</p>",
    "<style>.h + p{visibility:collapse}</style><p class=h>a</p><p>Y</p>",
    "<style>.x{height:0;overflow:hidden}</style><div class=x>Y</div>",
    "<style>#a .b, td{font-size:0px}</style><div id=a><i class=b>Y</i></div>",
    "<style>.x{transform:scale(0)}</style><p class=x>Y</p>",
    "<style>.x{left:-200vw;position:fixed}</style><p class=x>Y</p>",
    "<style>.x{color:rgba(0,0,0,0)}</style><p class=x>Y</p>",
    "<style>.x{color:#fefefe}</style><p class=x>Y</p>",
    "<style>.x{filter:blur(1px) opacity(0%)}</style><p class=x>Y</p>",
    "<style>.x{-webkit-mask:linear-gradient(transparent,#0000)}</style><p class=x>Y</p>",
    "<style>.x{mask-image:linear-gradient(to right,rgba(0,0,0,0) 0%,transparent)}</style><p class=x>Y</p>",
    "<style>.x{translate:0 -9999px}</style><p class=x>Y</p>",
    "<style>.x{scale:1 0}</style><p class=x>Y</p>",
    "<style>.x{transform:scale3d(1,0,1)}</style><p class=x>Y</p>",
    "<ruby>a<rt>Y</rt></ruby>",
)
STRUCK = (
    '<del style="text-decoration:none">Y</del>',
    '<s><b style="text-decoration:none">Y</b></s>',
    "<style>[data-old]{text-decoration:line-through}</style><p data-old>Y</p>",
    "<style>.o{text-decoration:red line-through wavy}</style><p class=o><b>Y</b></p>",
    "<style>.o{text-decoration-line:underline line-through}</style><p class=o>Y</p>",
    "<s>Y</s>",
    "<del>Y</del>",
    "<strike>Y</strike>",
    "<style>li:first-child{text-decoration:line-through}</style><ul><li>Y</li><li>b</li></ul>",
    '<style>p[class~="old"] span{text-decoration:line-through}</style><p class="a old"><span>Y</span></p>',
    "<style>@media (min-width:600px){.o{text-decoration:line-through}}</style><p class=o>Y</p>",
    '<div style="text-decoration: line-through"><p style="text-decoration:none">Y</p></div>',
    '<p style="text-decoration-line:line-through">Y</p>',
    "<style>p:has(i){text-decoration:line-through}</style><p>Y<i></i></p>",
    "<style>.a{& b{text-decoration:line-through}}</style><p class=a><b>Y</b></p>",
    "<style>[lang|=de] .o{text-decoration:line-through}</style><p lang=de-AT><u class=o>Y</u></p>",
)
SEEN = (
    '<s style="text-decoration:none">Y</s>',
    '<s style="text-decoration:underline">Y</s>',
    "<style>strike{text-decoration-line:none}</style><strike>Y</strike>",
    "<p aria-hidden=true>Y</p>",
    "<details><summary>a</summary><p>Y</p></details>",
    "<style>@media print{.x{display:none}}</style><p class=x>Y</p>",
    '<style>.x{display:none}</style><p class=x style="display:block">Y</p>',
    "<style>.x{visibility:hidden}.y{visibility:visible}</style><div class=x><p class=y>Y</p></div>",
    "<style>.d{background:#222;color:#fff}</style><div class=d><p>Y</p></div>",
    "<style>.d{background:url(a.png);color:#fff}</style><div class=d><p>Y</p></div>",
    "<style>.x:hover{display:none}</style><p class=x>Y</p>",
    "<style>.x::before{display:none}</style><p class=x>Y</p>",
    "<style>.x{display:none}</style><p class=xx>Y</p>",
    "<style>.x{font-size:0}.x p{font-size:16px}</style><div class=x><p>Y</p></div>",
    "<style>.x{opacity:0.5;left:-9999px}</style><p class=x>Y</p>",
    "<style>.x{text-decoration:underline}</style><p class=x>Y</p>",
    '<style>.o{text-decoration:line-through}.n{text-decoration:none}</style><p class="o n">Y</p>',
    "<style>@media (max-width:600px){.x{display:none}}</style><p class=x>Y</p>",
    "<style>.x{overflow:hidden;width:300px}</style><p class=x>Y</p>",
    "<link rel=stylesheet href=a.css><style>h1{color:#fff}</style><h1>Y</h1>",
    "<ins>Y</ins>",
    "<style>.x{margin-left:-20px;text-indent:-2em}</style><p class=x>Y</p>",
    "<style media=print>.x{display:none}</style><p class=x>Y</p>",
    "<style>.x{display:none</style><p>Y</p>",
    "<style>[hidden]{display:block}</style><p hidden>Y</p>",
    '<style>.x{color:white}</style><p class=x style="color:black">Y</p>',
    "<style>@supports not (display:grid){.x{display:none}}</style><p class=x>Y</p>",
    "<style>.n{display:none}</style><template class=n></template><p>Y</p>",
    "<style>.x{filter:opacity(.5);scale:1.2;translate:2px -50%;rotate:90deg}</style><p class=x>Y</p>",
    "<style>.x{transform:scale(1.2) translate(2px);filter:none;scale:none}</style><p class=x>Y</p>",
    "<style>.x{mask:linear-gradient(#000,transparent)}</style><p class=x>Y</p>",
    "<style>.x{mask:url(a.svg)}.x b{filter:blur(0)}</style><p class=x><b>Y</b></p>",
    "<ruby>Y<rp>(</rp><rt>a</rt></ruby>",
    "<style>.x{font:0/0 a}.x b{font:16px b}</style><p class=x><b>Y</b></p>",
)
IN_MARKDOWN = {
    '<span style="text-decoration:line-through">Y</span>': "struck",
    "Wir sagen <del>Y</del> nichts.": "struck",
    "<s>Y</s>": "struck",
    "~~Y~~": "struck",
    "<style>.alt{text-decoration:line-through}</style>\n\n<p class=alt>Y</p>": "struck",
    "<p hidden>Y</p>": "unseen",
    "<!-- Y -->": "unseen",
    "<u>Y</u> a < b & 3 > 2": "seen",
    "`<s>Y</s>`": "seen",
    "~Y~": "struck",
    "von ~500 bis ~600. Y": "seen",
    "---\ntitle: Y\ntags:\n  - a\n---\n\nText": "unseen",
    "---\n\nY\n\n---": "seen",
    "---\nWir sagen: Y\n\n---\n": "seen",
    "Text[^a].\n\n[^b]: Y": "unseen",
    "Text[^a].\n\n[^a]: Y\n    mehr": "seen",
    "```\n[^a]: Y\n```": "seen",
}


def _shown(html: str) -> str:
    """How the sentence comes out."""
    bare = re.sub(r"<(?!/?s>)[^>]*>", "", html)
    if Y not in re.sub("<[^>]*>", "", bare):
        return "unseen"
    return "struck" if re.search(f"<s>[^<]*{re.escape(Y)}", bare) else "seen"


def _of(html: str) -> str:
    return _shown(rebuilt("<h1>Titel</h1>" + html.replace("Y", Y))[0])


@pytest.mark.parametrize("html", UNSEEN)
def test_what_a_browser_does_not_show_is_left_out(html: str) -> None:
    assert _of(html) == "unseen"


@pytest.mark.parametrize("html", STRUCK)
def test_what_a_browser_strikes_out_is_struck_out(html: str) -> None:
    assert _of(html) == "struck"


@pytest.mark.parametrize("html", SEEN)
def test_what_a_browser_shows_is_shown(html: str) -> None:
    assert _of(html) == "seen"


@pytest.mark.parametrize("text", IN_MARKDOWN)
def test_html_in_markdown_is_read_as_html(text: str) -> None:
    made = read_markdown(text.replace("Y", Y).encode())[0]
    assert _shown(made) == IN_MARKDOWN[text]
    assert "&lt;" not in made or "`" in text or " < " in text


def test_footnotes_of_markdown_stand_apart_from_the_text() -> None:
    text = "# T\n\nDer Satz steigt[^x] um 5[^y]. Nicht[^z], `[^x]`.\n\n[^y]: Zwei.\n[^x]: Eins.\n\nEnde."
    made = re.sub(r"<[^>]*>", "", read_markdown(text.encode())[0]).split()
    assert " ".join(made) == "T Der Satz steigt¹ um 5². Nicht[^z], [^x]. Ende. Eins. Zwei."


_VALUES = st.sampled_from(
    [
        "none",
        "0",
        "-9999px",
        "1e9em",
        "var(--a)",
        "var(--a, var(--b))",
        "rgb(1,2)",
        "#ggg",
        "inset(",
        "}",
        "{",
    ]
)
_NAMES = st.sampled_from(
    ["display", "left", "font", "inset", "color", "background", "--a", "clip", "transform"]
)
_SELECTORS = st.sampled_from(
    ["p", ":is(p", "p:has(> b)", "&", "p::before", "@media", "[a=b", "p:nth-child(2n+1)"]
)


@example([("h1:nth-child(2n+1)", "font", "0")])
@given(st.lists(st.tuples(_SELECTORS, _NAMES, _VALUES), max_size=8))
def test_no_sheet_breaks_the_reading(rules: list[tuple[str, str, str]]) -> None:
    sheet = "".join(f"{selector}{{{name}:{value}}}" for selector, name, value in rules)
    style = ";".join(f"{name}:{value}" for _, name, value in rules).replace('"', "")
    assert "Titel" in rebuilt(f'<style>{sheet}</style><h1>Titel</h1><b style="{style}">{Y}</b>')[0]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('<p><span style="float:left">K</span>ein Hund.</p>', "Kein Hund."),
        ('<p><b style="float:left">„K</b><i>ein</i> Hund.</p>', "„Kein Hund."),
        ("<style>.cap{float:left}</style><p><span class=cap>À</span><span>midi.</span></p>", "Àmidi."),
        ('<p><span style="float:left">A</span> dog.</p>', "A dog."),
        ('<div style="float:left">B</div><div>akers</div>', "B akers"),
        ('<p><span style="float:left">12</span>dogs.</p>', "12 dogs."),
    ],
)
def test_an_initial_beside_its_word_belongs_to_it(html: str, text: str) -> None:
    shown = re.sub(r"</?(?:span|b|i)>", "", rebuilt(html)[0])
    assert " ".join(re.sub(r"<[^>]*>", " ", shown).split()) == text
