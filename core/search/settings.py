"""Search settings. The defaults are those measured in `benchmarks/retrieval.py`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """Weights multiply standard deviations above the collection's mean; 0 switches a part off.

    `candidates` per space and query; `sample` passages for the statistics. `lexical` is the weight of BM25
    in programmes and other prose, `lexical_statutes` where most documents searched are statutes or guidance
    on them, `lexical_exact` for questions with numbers, sections, quotes or abbreviations.
    `own_place` is added to documents of a place named in the question, over what stands above it, and taken
    from what parties say elsewhere than at the place that was set.
    `named_section` is added to the section that a question names or, where it asks what refers to that
    section, to passages that cite it. `beside_the_law` is taken from recitals and forms, which repeat the
    words of provisions without being any, unless the question speaks of them, `only_wanted` from what
    parties want, where the question is not for them. `threshold` drops hits whose
    score is lower; None keeps all. `names_kept` leaves the names that narrow the search in what the
    encoders see. `references` follows cross-references where a question is about them. `wording` is added to
    passages that speak of a penalty or a time where a question asks for one.
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
