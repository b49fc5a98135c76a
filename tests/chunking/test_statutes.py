"""Statutes: sections in every way of numbering, hierarchy, recitals, schedules, questions."""

import pytest

from core.domain.documents import DocumentType
from core.domain.pages import Page
from core.domain.passages import PassageDraft, PassageKind
from core.library.chunking.chunker import ChunkResult, chunk
from tests.support.typesetting import Set, column, count_words, page

TEXT = (
    "The promoter shall furnish the documents to the authority within thirty days from the date of receipt."
)
GERMAN = "Die zuständige Behörde entscheidet innerhalb von dreißig Tagen über den schriftlichen Antrag."


def cut(pages: list[Page], doc_type: DocumentType = DocumentType.ACT, language: str = "en") -> ChunkResult:
    return chunk(pages, doc_type=doc_type, language=language, title="Act", count_tokens=count_words)


def by_section(result: ChunkResult) -> dict[str, list[PassageDraft]]:
    found: dict[str, list[PassageDraft]] = {}
    for passage in result.passages:
        if passage.section:
            found.setdefault(passage.section.id, []).append(passage)
    return found


def paged(texts: list[str], per_page: int = 8) -> list[Page]:
    return [
        page(n, column(texts[i : i + per_page], y=60))
        for n, i in enumerate(range(0, len(texts), per_page), start=1)
    ]


@pytest.mark.parametrize(
    ("head", "doc_type", "kind"),
    [
        ("{n}. Duties of the promoter.- (1) " + TEXT, DocumentType.ACT, "section"),
        ("{n}. Duties of the promoter.— " + TEXT, DocumentType.RULES, "rule"),
        ("Rule {n} - Duties of the promoter\n" + TEXT, DocumentType.RULES, "rule"),
        ("{n}-(1) " + TEXT, DocumentType.RULES, "rule"),
        ("{n}-\nDuties of the promoter\n" + TEXT, DocumentType.RULES, "rule"),
        ("{n}.\nDuties of the promoter\n" + TEXT, DocumentType.REGULATION, "regulation"),
        ("Section {n}. Duties of the promoter\n" + TEXT, DocumentType.RULES, "section"),
        ("Article {n}\nDuties of the promoter\n" + TEXT, DocumentType.REGULATION, "art"),
    ],
)
def test_formats(head: str, doc_type: DocumentType, kind: str) -> None:
    texts = [line for n in range(1, 13) for line in head.format(n=n).split("\n")]
    found = by_section(cut(paged(texts), doc_type))
    assert list(found) == [f"{kind}:{n}" for n in range(1, 13)]
    assert all(p.kind is PassageKind.SECTION for passages in found.values() for p in passages)
    if "Duties" in head:
        assert {p.section.title for ps in found.values() for p in ps if p.section} == {
            "Duties of the promoter"
        }


@pytest.mark.parametrize(
    ("head", "kind", "language"),
    [("§ {n} Titel", "par", "de"), ("{n}. Title of it", "section", "en"), ("Article {n}", "art", "en")],
)
def test_a_code_has_more_than_a_thousand_sections(head: str, kind: str, language: str) -> None:
    text = GERMAN if language == "de" else TEXT
    texts = [line for n in range(1, 1009) for line in (head.format(n=n), text)]
    found = by_section(cut(paged(texts, per_page=20), language=language))
    assert list(found) == [f"{kind}:{n}" for n in range(1, 1009)]


@pytest.mark.parametrize("word", ["a person may ask", "I may ask", "A person asks"])
def test_a_word_behind_a_number_is_no_letter_of_it(word: str) -> None:
    texts = [each for n in range(1, 13) for each in (f"Section {n}. Duties", TEXT)]
    place = texts.index("Section 5. Duties") + 2
    found = by_section(cut(paged([*texts[:place], f"Section 5 {word}", TEXT, *texts[place:]])))
    assert list(found) == [f"section:{n}" for n in range(1, 13)]


def test_a_letter_may_stand_apart() -> None:
    labels = ["1", "2", "3", "3 a", "3 b", "4", "5"]
    texts = [each for label in labels for each in (f"§ {label} Zuständige Behörde", GERMAN)]
    found = by_section(cut(paged(texts), language="de"))
    assert list(found) == [f"par:{label.replace(' ', '')}" for label in labels]


def test_a_title_of_its_own_line_ends_before_the_only_sentence_of_its_section() -> None:
    texts = [line for n in range(1, 13) for line in (f"{n}. False statements", TEXT)]
    found = by_section(cut(paged(texts)))
    assert {p.section.title for ps in found.values() for p in ps if p.section} == {"False statements"}
    assert all(TEXT in " ".join(p.text for p in passages) for passages in found.values())


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("§ {n} Zuständige Behörde\n(1) " + GERMAN + "\n(2) " + GERMAN, "par"),
        ("§ {n}\nZuständige Behörde\n(1) " + GERMAN, "par"),
        ("Artikel {n}\n(1) " + GERMAN, "art"),
        ("GG Art {n}\n(1) " + GERMAN, "art"),
    ],
)
def test_german_formats(head: str, kind: str) -> None:
    labels = ["1", "2", "3", "3a", "3b", "4", "5", "6"]
    texts = [line for n in labels for line in head.format(n=n).split("\n")]
    found = by_section(cut(paged(texts), language="de"))
    assert list(found) == [f"{kind}:{n}" for n in labels]


def test_lists_years_and_references_are_no_sections() -> None:
    texts = []
    for n in range(1, 9):
        texts.append(f"{n}. Title of this section.— {TEXT}")
        if n == 3:
            texts += [
                f"{k}. copy of document number {k} that belongs to the application;" for k in range(1, 7)
            ]
        texts.append(f"2016. was the year of section {n + 1} and Article {n}. {TEXT}")
    found = by_section(cut(paged(texts)))
    assert list(found) == [f"section:{n}" for n in range(1, 9)]
    assert "copy of document number 5" in "".join(p.text for p in found["section:3"])


def test_table_of_sections_is_not_the_sections() -> None:
    table = ["ARRANGEMENT OF SECTIONS", *(f"{n}. Duties of promoter number {n}." for n in range(1, 13))]
    body = [f"{n}. Duties of promoter number {n}.— {TEXT}" for n in range(1, 13)]
    result = cut([page(1, column(table)), *paged(body)])
    found = by_section(result)
    assert list(found) == [f"section:{n}" for n in range(1, 13)]
    assert all(TEXT.split()[5] in passages[0].text for passages in found.values())
    assert "ARRANGEMENT" not in "".join(p.text for p in result.passages)


def test_hierarchy_is_in_the_heading_not_in_the_text() -> None:
    texts = []
    for n in range(1, 7):
        if n in {1, 4}:
            texts += [f"CHAPTER {'I' * n}", "PRELIMINARY" if n == 1 else "OFFENCES AND PENALTIES"]
        texts.append(f"{n}. Title.— {TEXT} {TEXT}")
    found = by_section(cut(paged(texts)))
    first, fourth = found["section:1"][0], found["section:4"][0]
    assert first.section
    assert fourth.section
    assert first.section.hierarchy == ("CHAPTER I PRELIMINARY",)
    assert fourth.section.hierarchy == ("CHAPTER IIII OFFENCES AND PENALTIES",)
    assert "OFFENCES AND PENALTIES" in fourth.heading
    assert "CHAPTER" not in "".join(p.text for passages in found.values() for p in passages)


def test_long_section_is_cut_at_its_subdivisions() -> None:
    parts = [f"({n}) {TEXT} {TEXT} {TEXT} {TEXT}" for n in range(1, 10)]
    texts = [f"1. First.— {TEXT}", "2. Long one.—", *parts, f"3. Third.— {TEXT}", f"4. Fourth.— {TEXT}"]
    passages = by_section(cut(paged(texts)))["section:2"]
    assert len(passages) > 2
    for passage in passages[1:]:
        assert passage.section
        assert passage.text.startswith(f"({passage.section.path[0]})")
        assert "Section 2" in passage.heading
        assert "Long one" in passage.heading
    assert all(p.text.count("\n") < 9 for p in passages)


def test_sections_are_never_merged() -> None:
    texts = [f"Article {n}\nRepealed." for n in range(1, 8)]
    found = by_section(cut(paged([line for t in texts for line in t.split("\n")])))
    assert [len(passages) for passages in found.values()] == [1] * 7


def test_recitals() -> None:
    recitals = [f"({n}) {TEXT} {TEXT}" for n in range(1, 11)]
    articles = [line for n in range(1, 6) for line in (f"Article {n}", "Subject-matter", TEXT)]
    found = by_section(cut(paged(["Whereas:", *recitals, *articles], 6), DocumentType.REGULATION))
    assert list(found) == [f"recital:{n}" for n in range(1, 11)] + [f"art:{n}" for n in range(1, 6)]


def test_forms_behind_the_rules_keep_their_own_numbers() -> None:
    rules = [f"{n}. Title of the rule.— {TEXT}" for n in range(1, 6)]
    form = [
        "FORM ‘A’",
        "[See rule 3]",
        *(f"{n}. Particulars of the applicant, number {n}: {TEXT}" for n in range(1, 12)),
    ]
    found = by_section(cut(paged([*rules, *form]), DocumentType.RULES))
    assert list(found) == [*(f"rule:{n}" for n in range(1, 6)), "form:a"]


def test_marginal_notes_are_titles() -> None:
    lines: list[Set] = []
    for n in range(1, 6):
        y = 80 + 130 * (n - 1)
        lines += column([f"{n}. (1) {TEXT} {TEXT} {TEXT}"], y=y, width=80, first_block=n)
    for n in range(1, 6):
        y = 80 + 130 * (n - 1)
        lines += [Set("Duties of", 480, y, 8.0, 20 + n), Set(f"promoter {n}.", 480, y + 10, 8.0, 20 + n)]
    found = by_section(cut([page(1, lines)]))
    assert [p[0].section.title for p in found.values() if p[0].section] == [
        f"Duties of promoter {n}" for n in range(1, 6)
    ]
    assert "Duties of promoter 3" in found["section:3"][0].heading
    assert "Duties" not in "".join(p[0].text for p in found.values())


def test_questions_keep_their_answers() -> None:
    texts = [line for n in range(1, 9) for line in (f"{n}. What is the fee in case number {n}?", TEXT)]
    found = by_section(cut(paged(texts), DocumentType.GUIDANCE))
    assert list(found) == [f"question:{n}" for n in range(1, 9)]
    assert all(p[0].text.endswith(TEXT) and len(p) == 1 for p in found.values())


def test_numbered_paragraphs_of_guidance_are_no_questions() -> None:
    result = cut(paged([f"{n}. {TEXT}" for n in range(1, 20)]), DocumentType.GUIDANCE)
    assert by_section(result) == {}
    assert result.warnings == ()


@pytest.mark.parametrize("joining", ["und", "oder", "sowie", "or"])
@pytest.mark.parametrize(
    "marks", [("1.", "2.", "3."), ("a)", "b)", "c)"), ("(i)", "(ii)", "(iii)"), ("h)", "i)", "j)")]
)
def test_the_item_behind_and_or_or_is_one_of_its_own(joining: str, marks: tuple[str, ...]) -> None:
    first, second, third = marks
    texts = [line for n in (1, 3) for line in (f"§ {n} Ordnung", GERMAN, "(1) Verboten ist", GERMAN)]
    items = [f"{first} Glas mitzubringen,", f"{second} Feuer zu machen {joining}", f"{third} laut zu sein."]
    texts[4:4] = [
        "§ 2 Verbote",
        "(1) Verboten ist",
        *items,
        "(2) Mehr als zwei Gäste oder",
        "7. Klassen dürfen hinein.",
    ]
    [found] = by_section(cut(paged(texts, 40), language="de"))["par:2"]
    lines = found.text.split("\n")
    assert lines[2:5] == items
    assert lines[5] == "(2) Mehr als zwei Gäste oder 7. Klassen dürfen hinein."


@pytest.mark.parametrize(
    ("heads", "language", "ids"),
    [
        (
            ["§ 60-100. Title", "§ 60-110. Permits", "§ 60-200. Fees"],
            "en",
            ["par:60-100", "par:60-110", "par:60-200"],
        ),
        (
            ["Article L. 111-1", "Article L. 111-2", "Article L. 112-1", "Article R. 111-1"],
            "fr",
            ["art:l111-1", "art:l111-2", "art:l112-1", "art:r111-1"],
        ),
        (
            ["1 Scope", "1.1 Sites", "1.2 Parties", "2 Duties", "2.1 Records"],
            "en",
            ["section:1", "section:1.1", "section:1.2", "section:2", "section:2.1"],
        ),
        (
            ["1 Umfang", "1.1 Orte", "1.2 Leute", "2 Pflichten", "2.1 Akten"],
            "de",
            ["number:1", "number:1.1", "number:1.2", "number:2", "number:2.1"],
        ),
        (
            ["Article 1er", "Article 2", "Article 2 bis", "Article 2 ter", "Article 3"],
            "fr",
            ["art:1", "art:2", "art:2bis", "art:2ter", "art:3"],
        ),
        (
            ["Teil A", "§ 1 Zweck", "§ 2 Ziel", "Teil B", "§ 1 Zweck", "§ 2 Ziel", "§ 3 Ende"],
            "de",
            ["par:1@Teil A", "par:2@Teil A", "par:1@Teil B", "par:2@Teil B", "par:3@Teil B"],
        ),
    ],
)
def test_heads_of_several_parts_and_chapters_that_count_anew(
    heads: list[str], language: str, ids: list[str]
) -> None:
    texts = [
        line for head in heads for line in ((head, TEXT, TEXT) if not head.startswith("Teil") else (head,))
    ]
    assert list(by_section(cut(paged(texts, 40), language=language))) == ids


def test_lists_cross_references_and_plurals_head_nothing() -> None:
    items = [f"{n}. Bring your own lamp to the harbour." for n in range(1, 12)]
    assert not by_section(cut(paged([TEXT, *items, TEXT, "ANNEXES", TEXT], 40)))
    texts = [line for n in (1, 2, 3) for line in (f"Article {n}", TEXT, TEXT)]
    texts += ["Article 14 (1) of the Directive applies to it.", TEXT]
    assert list(by_section(cut(paged(texts, 40)))) == ["art:1", "art:2", "art:3"]


def test_schedules_that_count_anew_are_no_chapters() -> None:
    texts = ["PART 1 Access"] + [line for n in (1, 2, 3, 4) for line in (f"{n} Overview of it", TEXT, TEXT)]
    texts += ["SCHEDULE 1 Byelaws", "Section 4"] + [
        line for n in (1, 2, 3) for line in (f"{n} Notices", TEXT)
    ]
    texts += ["SCHEDULE 2 Amendments"] + [line for n in (1, 2) for line in (f"{n} Notices", TEXT)]
    found = list(by_section(cut(paged(texts, 60))))
    assert found == ["section:1", "section:2", "section:3", "section:4", "schedule:1", "schedule:2"]


def test_lists_that_begin_anew_under_headings_name_no_provision() -> None:
    heads = ["Members", "Meetings", "Board", "Money"]
    duties = [f"{n}. {TEXT}" for n in range(1, 5)]
    lists = [line for head in heads for line in (head, *duties)]
    assert not by_section(cut(paged(lists, 40)))


def test_a_list_under_one_heading_of_several_names_no_provision() -> None:
    def part(head: str, lines: list[str], y: float) -> list[Set]:
        return [Set(head, 60, y, size=14, block=int(y)), *column(lines, y=y + 24)]

    items = [f"{n}. {TEXT}" for n in range(1, 7)]
    sets = part("Members", [TEXT, TEXT], 60) + part("Games", items, 160) + part("Money", [TEXT, TEXT], 340)
    assert not by_section(cut([page(1, [*sets, *part("End", [TEXT], 460)])]))


@pytest.mark.parametrize(
    ("lines", "language", "ids"),
    [
        (["ARTICLE I. NAME", "ARTICLE II. AIMS", "ARTICLE IV. MEMBERS"], "en", ["art:1", "art:2", "art:4"]),
        (["§ 1 Rat", "§ 2 Amt", "§ 3 Hof", "§ 6 Ende"], "de", ["par:1", "par:2", "par:3", "par:6"]),
        (
            ["§ 1 Zweck", "§ 2 Ziel", "§ 3 Rat", "Anlage 1a (zu § 1 Abs. 1 Nr. 2, § 2 Abs. 1 und § 3)"],
            "de",
            ["par:1", "par:2", "par:3", "schedule:1a"],
        ),
        (
            ["1 - Members", "1.1 - Rights", "1.2 - Duties", "2 - Board", "2.1 - Term"],
            "en",
            ["section:1", "section:1.1", "section:1.2", "section:2", "section:2.1"],
        ),
    ],
)
def test_heads_as_others_write_them(lines: list[str], language: str, ids: list[str]) -> None:
    texts = [line for head in lines for line in (head, TEXT, TEXT)]
    assert list(by_section(cut(paged(texts, 40), language=language))) == ids


def test_a_section_that_lists_schedules_is_none() -> None:
    heads = ["1. Members", "2. Schedules", "3. Short title"]
    texts = [line for head in heads for line in (head, TEXT)]
    texts[4:4] = ["Schedule 1 - Fees", "Schedule 2 - Forms"]
    texts += ["Schedule 1 - Fees", TEXT, "Schedule 2 - Forms", TEXT]
    found = by_section(cut(paged(texts, 40)))
    assert list(found) == ["section:1", "section:2", "section:3", "schedule:1", "schedule:2"]
    assert "Schedule 2" in found["section:2"][0].text


def test_what_ends_a_bracket_opens_no_item_and_items_go_on_over_pages() -> None:
    first = ["§ 1 Rat", "(1) Der Rat vergleicht die Bezüge (Gehalt der Stufe 8 und Zuschlag der Stufe"]
    first += ["1) mit allen anderen.", "(2) Er entscheidet:", "a) über das Geld.", "§ 2 Amt", GERMAN]
    pages = [page(1, column(first, y=60)), page(2, column(["b) über den Hof.", GERMAN], y=60))]
    pages += [page(3, column(["§ 3 Ende", GERMAN], y=60))]
    found = by_section(cut(pages, language="de"))
    assert "Stufe 1) mit allen" in found["par:1"][0].text
    assert "\nb) über den Hof." in "\n".join(each.text for each in found["par:2"])
