"""Search settings. The defaults are those measured in `benchmarks/retrieval.py`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """Weights multiply standard deviations above the collection's mean; 0 switches a part off.

    `candidates` per space and query; `sample` passages for the statistics. `lexical` is the weight of BM25 in
    programmes and other prose, `lexical_statutes` where most documents searched are statutes or guidance on
    them, `lexical_exact` for questions with numbers, sections, quotes or abbreviations. `own_place` is added
    to documents of a place named in the question, in preference to places above it, and subtracted from
    parties' statements for places other than the one set. `named_section` is added to the section that a
    question names or, if it asks what refers to that section, to passages that cite it. `beside_the_law` is
    subtracted from recitals and forms, which repeat the words of provisions without being provisions, unless
    the question mentions them, `only_wanted` from what parties want, unless the question asks for that.
    `threshold` drops hits whose score is lower; None keeps all. `names_kept` leaves the names that narrow the
    search in what the encoders see. `references` follows cross-references if a question is about them.
    `wording` is added to passages that mention a penalty or a time if a question asks for one, `telling` to
    those that have all words of the question that few passages have.
    """

    primary: float = 1.0
    secondary: float = 0.4
    windows: float = 0.4
    lexical: float = 0.2
    lexical_statutes: float = 0.6
    lexical_exact: float = 0.8
    own_place: float = 1.0
    named_section: float = 2.0
    candidates: int = 100
    sample: int = 500
    hits: int = 10
    passages: int = 5
    pinned: int = 2
    expanded: int = 40
    quota: int = 2
    token_budget: int = 1600
    beside_the_law: float = 0.5
    only_wanted: float = 1.0
    threshold: float | None = None
    names_kept: bool = False
    references: bool = True
    wording: float = 1.0
    telling: float = 3.0
